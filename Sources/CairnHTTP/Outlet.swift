import CMicroHTTPD
import CairnRuntime
import Glibc

/// Sends a stream through the socket of its connection, which was taken over from libmicrohttpd.
///
/// Unchecked: everything but `tell()` belongs to the loop's thread.
final class Outlet: @unchecked Sendable {
  /// The result of sending.
  enum Fate { case open, sent, over(StreamEnd) }

  let stream: ByteStream
  /// The client's address, whose connection is counted until the end.
  let host: String
  let descriptor: Int32
  private let loop: EventLoop
  private var piece: [UInt8]
  private var sent = 0
  /// The time at which bytes were last sent (`Monotonic`).
  private(set) var lastMove: UInt64
  /// The time since which the client has accepted none of the queued bytes; `.max` if it does accept bytes.
  private(set) var stuckSince = UInt64.max
  /// The deadline of the operation in progress.
  private(set) var deadline = UInt64.max
  /// The time at which a heartbeat may be due.
  private(set) var nextBeat = UInt64.max
  private let silence: UInt64
  /// Whether everything has been sent, so that only the client's reading is awaited.
  private(set) var isSent = false
  /// The number of further bytes of the client that are read and discarded.
  private var room = 1 << 20

  /// Starts a stream on a descriptor, which `close()` closes.
  init(_ stream: ByteStream, on descriptor: Int32, host: String, of loop: EventLoop) {
    self.stream = stream
    self.descriptor = descriptor
    self.host = host
    self.loop = loop
    piece = []
    lastMove = loop.now
    silence = stream.limits.heartbeat.map { max(1_000_000, $0.every.nanoseconds) } ?? .max
    piece = stream.begin(self)
    setNextBeat(after: lastMove)
  }

  /// Notes that the stream has bytes to send or is to end. Any thread.
  func tell() { loop.flow(self) }

  /// Sends as much as possible without waiting.
  func flush(at now: UInt64) -> Fate {
    while !isSent {
      if sent == piece.count {
        switch stream.next() {
        case .send(let next): (piece, sent) = (next, 0)
        case .wait:
          (piece, sent) = ([], 0)
          return .open
        case .finish: return .sent
        case .over(let end): return .over(end)
        }
      }
      let count = piece.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
        lastMove = now
        stuckSince = .max
      } else if errno == EAGAIN {
        stuckSince = min(stuckSince, now)
        return stream.rest().map(Fate.over) ?? .open
      } else if errno != EINTR {
        return .over(.left)
      }
    }
    return .open
  }

  /// Sets the deadline of the operation in progress.
  func allow(until moment: UInt64) { deadline = moment }

  /// Closes this side of the connection. The client closes its own when it has read everything.
  func endSending() {
    isSent = true
    piece = []
    nextBeat = .max
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Sends a heartbeat after a silence. The next one is always later than now, even if the client accepts nothing.
  func beat(at now: UInt64) {
    let isSilent = now - min(now, lastMove) >= silence
    if let heartbeat = stream.limits.heartbeat, sent == piece.count, isSilent { (piece, sent) = (heartbeat.bytes, 0) }
    setNextBeat(after: isSilent ? now : lastMove)
  }

  /// Heartbeats within a sixty-fourth of the silence are sent together, so that the loop is not woken for each.
  private func setNextBeat(after move: UInt64) {
    guard silence < .max else { return }
    let grain = silence / 64
    nextBeat = (move + silence) / grain * grain + grain
  }

  /// Reads and discards the client's bytes. Returns `false` if it has disconnected or has sent too much.
  func drop() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4 << 10, alignment: 1) { buffer in
      while room > 0 {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        room -= count
      }
      return false
    }
  }

  /// Closes the socket. `isCut` discards unsent bytes and resets the connection, so that the client learns of it at once.
  func close(isCut: Bool) {
    (piece, sent) = ([], 0)
    if isCut { SocketOptions.resetAtClose(descriptor) }
    Glibc.close(descriptor)
  }
}
