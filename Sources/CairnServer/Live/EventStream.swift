import CairnAPI
import CairnHTTP
import CairnRuntime
import Synchronization

/// One open stream of events. Any thread.
final class EventStream: Sendable {
  /// The subject of its events; the name is a metric's label.
  enum Kind: String, CaseIterable { case session, all }

  let kind: Kind
  /// Whose; empty: all.
  let session: String
  /// By whose credential it is open.
  let principal: Principal
  /// How many events were put into it.
  let count = Atomic(0)
  private let bytes: ByteStream
  private let reason = Lock<StreamReason?>(nil)
  /// Held as long as it is open.
  private let seat: Seat?

  init(_ kind: Kind, of session: String = "", _ bytes: ByteStream, for principal: Principal, _ seat: Seat?) {
    self.kind = kind
    self.session = session
    self.bytes = bytes
    self.principal = principal
    self.seat = seat
  }

  /// Puts an event into it; returns false if it has ended.
  func send(_ event: [UInt8]) -> Bool {
    guard bytes.send(event) else { return false }
    count.add(1, ordering: .relaxed)
    return true
  }

  /// Calls `note` once when all bytes are on their way or the stream has ended. On a thread that must not be blocked.
  func whenDrained(_ note: @escaping @Sendable () -> Void) { bytes.whenDrained(note) }

  /// Ends the stream, with a last event for the client if the reason has one. The first reason counts.
  func end(_ why: StreamReason) {
    let isFirst = reason.withLock { reason in
      guard reason == nil else { return false }
      reason = why
      return true
    }
    guard isFirst else { return }
    bytes.end(why.isTold ? EventText.bytes("end", id: nil, EndBody(why.rawValue)) : [])
  }

  /// Calls `note` once when it has ended, with the reason and the number of its events. On a thread that must not be blocked.
  func whenOver(_ note: @escaping @Sendable (StreamReason, Int) -> Void) {
    bytes.whenOver { [self] end in
      // Who was too slow for its last event has gone all the same.
      note(reason.withLock { $0 } ?? StreamReason(end), count.load(ordering: .relaxed))
    }
  }
}
