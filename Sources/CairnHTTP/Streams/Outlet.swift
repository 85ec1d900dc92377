import CMicroHTTPD
import CairnRuntime
import Glibc

/// Sends a stream on the socket of its connection, which was taken over from libmicrohttpd.
///
/// Unchecked: everything except `requestSending()` is used only on the loop's thread.
final class Outlet: @unchecked Sendable {
  /// The state of the outlet: the stream continues, all of its bytes have been sent, or it has ended early.
  enum Fate { case open, sent, over(StreamEnd) }

  let stream: ByteStream
  /// The client's address, by which the connection is counted.
  let host: String
  let descriptor: Int32
  private let loop: EventLoop
  private var piece: [UInt8]
  private var sent = 0
  /// The time of the last send, in `Monotonic` nanoseconds.
  private(set) var lastMove: UInt64
  /// The time since which the socket accepts no more bytes, in `Monotonic` nanoseconds; `.max` while the socket accepts bytes.
  private(set) var stuckSince = UInt64.max
  /// The client's deadline for accepting the queued bytes of a stream that is being closed, or for reading the last bytes. In `Monotonic`
  /// nanoseconds; `.max` if there is no deadline.
  private(set) var deadline = UInt64.max
  /// The time at which the outlet must check whether a heartbeat is due, in `Monotonic` nanoseconds; `.max` if the stream has no heartbeat
  /// or has sent everything.
  private(set) var nextBeat = UInt64.max
  private let silence: UInt64
  /// Whether everything has been sent. The client may not have read all of it yet.
  private(set) var isSent = false
  /// The number of bytes that may still be received from the client and dropped.
  private var room = 1 << 20

  /// Attaches the stream to a descriptor, which `close()` closes.
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

  /// Notifies the loop that there are bytes to send or that the stream must end. Can be called on any thread.
  func requestSending() { loop.requestSending(self) }

  /// Sends as much as possible without blocking. Returns the state of the outlet afterwards.
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

  func allow(until moment: UInt64) { deadline = moment }

  /// Closes the sending side. The client has read all bytes when it also closes its side.
  func endSending() {
    isSent = true
    piece = []
    nextBeat = .max
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Queues a heartbeat if nothing was sent for the heartbeat's interval and no piece is being sent. Always sets the time of the next
  /// heartbeat, which is later than `now`, even if the client accepts no bytes.
  func beat(at now: UInt64) {
    let isSilent = now - min(now, lastMove) >= silence
    if let heartbeat = stream.limits.heartbeat, sent == piece.count, isSilent { (piece, sent) = (heartbeat.bytes, 0) }
    setNextBeat(after: isSilent ? now : lastMove)
  }

  /// Sets the time of the next heartbeat. It is rounded up to a multiple of a sixty-fourth of the interval, so that one wakeup of the loop
  /// serves many streams.
  private func setNextBeat(after move: UInt64) {
    guard silence < .max else { return }
    let grain = silence / 64
    nextBeat = (move + silence) / grain * grain + grain
  }

  /// Reads and drops the client's bytes. Returns false if the client has disconnected or has sent more than the limit.
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

  /// Closes the socket. If `isCut` is true, unsent bytes are discarded and the connection is reset.
  func close(isCut: Bool) {
    (piece, sent) = ([], 0)
    if isCut { SocketOptions.resetAtClose(descriptor) }
    Glibc.close(descriptor)
  }
}
