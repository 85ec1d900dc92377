import CairnAPI
import CairnHTTP
import CairnRuntime
import Synchronization

/// An open stream of server-sent events. Any thread.
final class EventStream: Sendable {
  /// The subject of the events. The raw value is the label of a metric.
  enum Kind: String, CaseIterable { case session, all }

  let kind: Kind
  /// The session's id; empty for the stream of all sessions.
  let session: String
  /// The caller whose credentials opened the stream.
  let principal: Principal
  /// The number of events that were sent.
  let count = Atomic(0)
  private let bytes: ByteStream
  private let reason = Lock<StreamReason?>(nil)
  /// The client's slot, held while the stream is open.
  private let seat: Seat?

  init(_ kind: Kind, of session: String = "", _ bytes: ByteStream, for principal: Principal, _ seat: Seat?) {
    self.kind = kind
    self.session = session
    self.bytes = bytes
    self.principal = principal
    self.seat = seat
  }

  /// Sends an event. Returns `false` if the stream has ended.
  func send(_ event: [UInt8]) -> Bool {
    guard bytes.send(event) else { return false }
    count.add(1, ordering: .relaxed)
    return true
  }

  /// Calls `note` once, when all bytes have been sent or the stream has ended. The calling thread must not be blocked.
  func whenDrained(_ note: @escaping @Sendable () -> Void) { bytes.whenDrained(note) }

  /// Ends the stream, with a last event if the reason has one. The first reason counts.
  func end(_ why: StreamReason) {
    let isFirst = reason.withLock { reason in
      guard reason == nil else { return false }
      reason = why
      return true
    }
    guard isFirst else { return }
    bytes.end(why.isTold ? EventText.bytes("end", id: nil, EndBody(why.rawValue)) : [])
  }

  /// Calls `note` once when the stream has ended, with the reason and the number of events. The calling thread must not be blocked.
  func whenOver(_ note: @escaping @Sendable (StreamReason, Int) -> Void) {
    bytes.whenOver { [self] end in
      // A client that was too slow to read the last event has left for the same reason.
      note(reason.withLock { $0 } ?? StreamReason(end), count.load(ordering: .relaxed))
    }
  }
}
