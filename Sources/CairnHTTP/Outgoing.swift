import CMicroHTTPD
import Glibc

/// An answer that is being sent, instead of the empty one that libmicrohttpd was given. Only on its loop's thread.
///
/// The library decides whether the connection goes on: its status line and its field `Connection` are sent as it wrote them, the rest is ours.
struct Outgoing {
  let status: Int
  /// It is the connection's last.
  let isLast: Bool
  /// From the date to the last field.
  private let head: [UInt8]
  private let body: [UInt8]
  /// How many bytes of it all have gone.
  private var gone = 0

  /// Throws for a response that would break the message.
  init(_ response: Response, to request: Request, _ date: DateField) throws(IllegalResponse) {
    guard (200...599).contains(response.status) else { throw IllegalResponse(reason: "a response had the status \(response.status)") }
    if let name = response.headers.illegalName {
      throw IllegalResponse(reason: "a response had an illegal header \(name.debugDescription)")
    }
    // RFC 9110, 8.6: a 204 has no length, and a 304 none but that of its 200.
    let isBodiless = response.status == 204 || response.status == 304
    head = Self.head(date.line, response.headers.lines, length: isBodiless ? nil : response.body.count)
    status = response.status
    isLast = response.headers.isLast
    body = isBodiless || request.asksForHead ? [] : response.body
  }

  /// A bare 500 that closes the connection, instead of a response that cannot be sent.
  init(failureAt date: DateField) {
    (status, isLast, body) = (500, true, [])
    head = date.line + Array("Content-Length: 0\r\n".utf8)
  }

  /// Sends as far as it goes without waiting. `library`: the head that the library would send. 1: all has gone; else an error number, negated.
  mutating func send(to socket: Int32, inPlaceOf library: UnsafeRawBufferPointer) -> Int32 {
    let (statusLine, connection) = (library.line("HTTP/"), library.line("Connection: "))
    return head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        Self.crlf.withUnsafeBytes { end in
          withUnsafeTemporaryAllocation(of: iovec.self, capacity: 5) { pieces in
            var all = 0
            for (index, piece) in [statusLine, head, connection, end, body].enumerated() {
              pieces.initializeElement(
                at: index, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count))
              all += piece.count
            }
            while gone < all {
              let sent = cairn_send(socket, pieces.baseAddress, 5, gone)
              guard sent > 0 else { return Int32(sent) }
              gone += sent
            }
            return 1
          }
        }
      }
    }
  }

  private static let crlf = Array("\r\n".utf8)

  /// The fields in one piece of memory. `length`: of the body; nil: it is not sent.
  private static func head(_ date: [UInt8], _ lines: [UInt8], length: Int?) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: date.count + lines.count + lengthRoom) { room, count in
      // Each piece is within the capacity: the two lines as counted there, and the length within `lengthRoom`.
      for piece in [date, lines] {
        count += UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: piece)
      }
      guard let length else { return }
      for byte in "Content-Length: ".utf8 { put(byte, room, &count) }
      put(digits: length, room, &count)
      for byte in "\r\n".utf8 { put(byte, room, &count) }
    }
  }

  /// Room for the field `Content-Length`: its name, the 19 digits of the largest integer and the line's end, rounded up.
  private static let lengthRoom = 40

  private static func put(_ byte: UInt8, _ room: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    room[count] = byte
    count += 1
  }

  private static func put(digits number: Int, _ room: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    if number >= 10 { put(digits: number / 10, room, &count) }
    put(UInt8(ascii: "0") + UInt8(number % 10), room, &count)
  }
}

/// A response that cannot be sent as it is.
struct IllegalResponse: Error {
  /// For the log.
  let reason: String
}

/// The responses that libmicrohttpd is given; `Outgoing` is sent instead.
final class EmptyResponses {
  /// Others may follow on the connection.
  let more = cairn_mhd_empty_response()
  /// The connection closes after it.
  let last = cairn_mhd_empty_response()

  init() { if let last { MHD_add_response_header(last, "Connection", "close") } }

  deinit {
    for response in [more, last] where response != nil { MHD_destroy_response(response) }
  }
}

extension UnsafeRawBufferPointer {
  /// The line of a head that begins like this, with its end; empty: there is none.
  fileprivate func line(_ start: StaticString) -> UnsafeRawBufferPointer {
    var rest = self
    while let first = rest.baseAddress, let end = memchr(first, Int32(UInt8(ascii: "\n")), rest.count) {
      let line = UnsafeRawBufferPointer(start: first, count: first.distance(to: end) + 1)
      if line.count > start.utf8CodeUnitCount, memcmp(first, start.utf8Start, start.utf8CodeUnitCount) == 0 { return line }
      rest = UnsafeRawBufferPointer(rebasing: rest[line.count...])
    }
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
