import CairnRuntime
import Glibc

/// Blocks until a socket has bytes, and appends them to `bytes`. Returns `false` if the peer has closed or reset the connection. Throws
/// `NeverCame` after the timeout.
///
/// Waits in `poll` instead of setting `SO_RCVTIMEO`. A `recv` with such a timeout fails with EINTR when the process is stopped and
/// continued (signal(7)), which a series of tests does to its process each second.
package func awaitBytes(
  _ what: String, from descriptor: Int32, into bytes: inout [UInt8], atMost count: Int = 65_536, file: StaticString = #fileID,
  line: UInt = #line
) throws(NeverCame) -> Bool {
  let deadline = TestTimeout.deadline
  while true {
    let now = Monotonic.now()
    guard now < deadline else { throw NeverCame(what, file: file, line: line) }
    var awaited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&awaited, 1, Int32((deadline - now) / 1_000_000 + 1)) > 0 else { continue }
    var chunk = [UInt8](repeating: 0, count: count)
    let length = recv(descriptor, &chunk, count, 0)
    if length < 0, errno == EINTR { continue }
    guard length > 0 else { return false }
    bytes += chunk[..<length]
    return true
  }
}
