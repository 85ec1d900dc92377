import CMicroHTTPD
import Glibc

/// A response that is being sent instead of the empty response that libmicrohttpd was given. Only for the loop's thread.
///
/// The library decides whether the connection stays open, so its status line and its field `Connection` are sent as it wrote them. Everything else is
/// written here.
struct Outgoing {
  let status: Int
  /// Whether the response is the connection's last.
  let isLast: Bool
  /// The field `Date`.
  private let date: [UInt8]
  /// The fields of the response.
  private let lines: [UInt8]
  private let end: HeadEnd
  private let body: [UInt8]
  /// The number of bytes that have been sent.
  private var gone = 0

  /// Throws if the response would break the message.
  init(_ response: Response, to request: Request, _ date: DateField) throws(IllegalResponse) {
    guard (200...599).contains(response.status) else { throw IllegalResponse(reason: "a response had the status \(response.status)") }
    if let name = response.headers.illegalName {
      throw IllegalResponse(reason: "a response had an illegal header \(name.debugDescription)")
    }
    // A 204 has no length, and a 304 has none but that of its 200 (RFC 9110, 8.6).
    let isBodiless = response.status == 204 || response.status == 304
    status = response.status
    isLast = response.headers.isLast
    self.date = date.line
    lines = response.headers.lines
    end = HeadEnd(length: isBodiless ? nil : response.body.count)
    body = isBodiless || request.asksForHead ? [] : response.body
  }

  /// A bare 500 that closes the connection, for a response that cannot be sent.
  init(failureAt date: DateField) {
    (status, isLast, lines, body) = (500, true, [], [])
    self.date = date.line
    end = HeadEnd(length: 0)
  }

  /// Sends as much as possible without waiting. `library` is the head that the library would send. Returns 1 if everything has been sent, otherwise a
  /// negated errno.
  mutating func send(to socket: Int32, inPlaceOf library: UnsafeRawBufferPointer) -> Int32 {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: 6) { pieces in
      pieces.initialize(repeating: iovec())
      return date.withUnsafeBytes { date in
        lines.withUnsafeBytes { lines in
          end.withBytes { end in
            body.withUnsafeBytes { body in
              let (statusLine, connection) = library.lines
              (pieces[0], pieces[1], pieces[2]) = (iovec(statusLine), iovec(connection), iovec(date))
              (pieces[3], pieces[4], pieces[5]) = (iovec(lines), iovec(end), iovec(body))
              let all = statusLine.count + connection.count + date.count + lines.count + end.count + body.count
              while gone < all {
                let sent = cairn_send(socket, pieces.baseAddress, 6, gone)
                guard sent > 0 else { return Int32(sent) }
                gone += sent
              }
              return 1
            }
          }
        }
      }
    }
  }
}

/// The field `Content-Length`, if there is one, and the empty line after a head. It is stored inline and allocates no memory.
struct HeadEnd {
  /// Room for the field's name, the 19 digits of the largest integer and both line ends. Filled from the end.
  private var bytes = InlineArray<40, UInt8>(repeating: 0)
  private var start = 40

  /// `length` is the length of the body; `nil` omits the field.
  init(length: Int?) {
    put("\r\n")
    guard let length else { return }
    put("\r\n")
    var rest = length.magnitude
    repeat {
      start -= 1
      bytes[start] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    put("Content-Length: ")
  }

  /// Passes the bytes to `body` without copying them.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: bytes) { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Inserts a text at the start.
  private mutating func put(_ text: StaticString) {
    start -= text.utf8CodeUnitCount
    for index in 0..<text.utf8CodeUnitCount { bytes[start + index] = text.utf8Start[index] }
  }
}

/// A response that cannot be sent because it would break the message.
struct IllegalResponse: Error {
  /// The reason, for the log.
  let reason: String
}

/// The responses that libmicrohttpd receives, in place of which `Outgoing` is sent.
final class EmptyResponses {
  /// For a connection that stays open.
  let more = cairn_mhd_empty_response()
  /// For a connection that closes after the response.
  let last = cairn_mhd_empty_response()

  init() { if let last { MHD_add_response_header(last, "Connection", "close") } }

  deinit {
    for response in [more, last] where response != nil { MHD_destroy_response(response) }
  }
}

extension iovec {
  fileprivate init(_ piece: UnsafeRawBufferPointer) {
    self.init(iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count)
  }
}

extension UnsafeRawBufferPointer {
  /// The status line of a head and its field `Connection`, including their line ends; empty if there is none.
  fileprivate var lines: (status: UnsafeRawBufferPointer, connection: UnsafeRawBufferPointer) {
    var (status, rest) = (UnsafeRawBufferPointer(start: nil, count: 0), self)
    let name: StaticString = "Connection: "
    while let first = rest.baseAddress, let end = memchr(first, Int32(UInt8(ascii: "\n")), rest.count) {
      let line = UnsafeRawBufferPointer(start: first, count: first.distance(to: end) + 1)
      if status.isEmpty {
        status = line
      } else if line.count > name.utf8CodeUnitCount, memcmp(first, name.utf8Start, name.utf8CodeUnitCount) == 0 {
        return (status, line)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[line.count...])
    }
    return (status, UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
