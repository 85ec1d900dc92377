import CMicroHTTPD
import CairnRuntime
import Glibc

/// Where a stream leaves: the socket of its connection, taken over from libmicrohttpd.
///
/// Unchecked: all but `tell()` belongs to the loop's thread.
final class Outlet: @unchecked Sendable {
  /// The result of sending.
  enum Fate { case open, sent, over(StreamEnd) }

  let stream: ByteStream
  /// Where the connection came from, to be counted out at the end.
  let host: String
  let descriptor: Int32
  private let loop: EventLoop
  private var piece: [UInt8]
  private var sent = 0
  /// When bytes left it last, `Monotonic`.
  private(set) var lastMove: UInt64
  /// Since when its client takes nothing, though there is something; `.max`: it does.
  private(set) var stuckSince = UInt64.max
  /// By when what is being done has to be done.
  private(set) var deadline = UInt64.max
  /// When it may need a heartbeat.
  private(set) var nextBeat = UInt64.max
  private let silence: UInt64
  /// All is sent, and its client is to read it.
  private(set) var isSent = false
  /// How much more of its client is read and dropped.
  private var room = 1 << 20

  /// The stream begins, on a descriptor that is closed with `close()`.
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

  /// Any thread: there is more to send, or it is to end.
  func tell() { loop.flow(self) }

  /// Sends as far as it goes without waiting.
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

  /// Our side ends: its client has read all when it ends its own.
  func endSending() {
    isSent = true
    piece = []
    nextBeat = .max
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Sends a heartbeat after a silence. The next one is always due later than now, also if its client takes nothing.
  func beat(at now: UInt64) {
    let isSilent = now - min(now, lastMove) >= silence
    if let heartbeat = stream.limits.heartbeat, sent == piece.count, isSilent { (piece, sent) = (heartbeat.bytes, 0) }
    setNextBeat(after: isSilent ? now : lastMove)
  }

  /// Streams that are due within a sixty-fourth of their silence are due together, so that the loop is not woken for each.
  private func setNextBeat(after move: UInt64) {
    guard silence < .max else { return }
    let grain = silence / 64
    nextBeat = (move + silence) / grain * grain + grain
  }

  /// Reads and drops what its client says. False: it has left, or says too much.
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

  /// Gives the socket back. `isCut`: what was not sent is thrown away, and the client told so at once.
  func close(isCut: Bool) {
    (piece, sent) = ([], 0)
    if isCut { SocketOptions.resetAtClose(descriptor) }
    Glibc.close(descriptor)
  }
}
