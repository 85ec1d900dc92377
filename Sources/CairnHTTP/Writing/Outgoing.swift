import CMicroHTTPD
import Glibc

/// A response that replaces the empty response given to libmicrohttpd. Used only on the loop's thread.
///
/// The library determines whether the connection stays open. Therefore the library's status line and `Connection` field are sent unchanged;
/// all other fields and the body are written here.
struct Outgoing {
  let status: Int
  /// Whether the connection closes after this response.
  let isLast: Bool
  /// The line of the field `Date`.
  private let date: [UInt8]
  /// The lines of the response's fields.
  private let lines: [UInt8]
  private let end: HeadEnd
  private let body: [UInt8]
  /// The number of bytes sent so far.
  private var gone = 0

  /// Creates the response. Throws if the status is out of range or a header field is illegal.
  init(_ response: Response, to request: Request, _ date: DateField) throws(IllegalResponse) {
    guard (200...599).contains(response.status) else {
      throw IllegalResponse(reason: "a response had the invalid status \(response.status)")
    }
    if let name = response.headers.illegalName {
      throw IllegalResponse(reason: "a response had an invalid header, \(name.debugDescription)")
    }
    // A 204 response has no Content-Length. The Content-Length of a 304 response would be the length of the 200 response, so the field is
    // omitted (RFC 9110, 8.6).
    let isBodiless = response.status == 204 || response.status == 304
    status = response.status
    isLast = response.headers.isLast
    self.date = date.line
    lines = response.headers.lines
    end = HeadEnd(length: isBodiless ? nil : response.body.count)
    body = isBodiless || request.asksForHead ? [] : response.body
  }

  /// Creates a 500 response without a body, after which the connection closes. It replaces a response that cannot be sent.
  init(failureAt date: DateField) {
    (status, isLast, lines, body) = (500, true, [], [])
    self.date = date.line
    end = HeadEnd(length: 0)
  }

  /// Sends as much as possible without blocking. `library` is the head that the library would send. Returns 1 if everything has been sent,
  /// otherwise a negated `errno`.
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

/// The field `Content-Length`, if there is one, and the empty line after a head. Stored in the value, without a heap allocation.
struct HeadEnd {
  /// Room for the field's name, the 19 digits of the largest integer and both line ends. Filled from its end.
  private var bytes = InlineArray<40, UInt8>(repeating: 0)
  private var start = 40

  /// Creates the end of a head. `length` is the length of the body; `nil` omits the field.
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

  /// Calls `body` with the bytes, which are valid only during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: bytes) { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Inserts text before the existing bytes.
  private mutating func put(_ text: StaticString) {
    start -= text.utf8CodeUnitCount
    for index in 0..<text.utf8CodeUnitCount { bytes[start + index] = text.utf8Start[index] }
  }
}

/// The error for a response that cannot be sent as given.
struct IllegalResponse: Error {
  /// The reason, for the log.
  let reason: String
}

/// The responses that are passed to libmicrohttpd. `Outgoing` is sent instead of them.
final class EmptyResponses {
  /// The response after which the connection may carry more requests.
  let more = cairn_mhd_empty_response()
  /// The response after which the connection closes.
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
  /// The status line and the `Connection` field of a head, including their line ends. A missing line is empty.
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
