import CairnAPI
import CairnHTTP
import CairnRuntime
import Synchronization

/// One open stream of events. Thread-safe.
final class EventStream: Sendable {
  /// The subject of the stream's events. The raw value is a metric's label.
  enum Kind: String, CaseIterable { case session, all }

  let kind: Kind
  /// The id of the session; empty for a stream of all sessions.
  let session: String
  /// The caller whose credential opened the stream.
  let principal: Principal
  /// The number of events that were sent to the stream.
  let count = Atomic(0)
  private let bytes: ByteStream
  private let reason = Lock<StreamReason?>(nil)
  /// The slot among the client's simultaneous requests, occupied until the stream ends; `nil` if the client's requests are not counted.
  private let seat: Seat?

  init(_ kind: Kind, of session: String = "", _ bytes: ByteStream, for principal: Principal, _ seat: Seat?) {
    self.kind = kind
    self.session = session
    self.bytes = bytes
    self.principal = principal
    self.seat = seat
  }

  /// Sends an event; returns false if the stream has ended.
  func send(_ event: [UInt8]) -> Bool {
    guard bytes.send(event) else { return false }
    count.add(1, ordering: .relaxed)
    return true
  }

  /// Calls `note` once, after all bytes have been written to the connection or the stream has ended. `note` must not block.
  func whenDrained(_ note: @escaping @Sendable () -> Void) { bytes.whenDrained(note) }

  /// Ends the stream. The client receives a final `end` event if the reason requires one. Later calls have no effect.
  func end(_ why: StreamReason) {
    let isFirst = reason.withLock { reason in
      guard reason == nil else { return false }
      reason = why
      return true
    }
    guard isFirst else { return }
    bytes.end(why.isSent ? EventText.bytes("end", id: nil, EndBody(why.rawValue)) : [])
  }

  /// Calls `note` once, after the stream has ended, with the reason and the number of events sent. `note` must not block.
  func whenOver(_ note: @escaping @Sendable (StreamReason, Int) -> Void) {
    bytes.whenOver { [self] end in
      // A reason that the service has set takes precedence, even if the client was too slow to receive the `end` event.
      note(reason.withLock { $0 } ?? StreamReason(end), count.load(ordering: .relaxed))
    }
  }
}
