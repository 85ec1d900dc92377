import CairnAPI
import CairnCore
import CairnJournal
import CairnStore

/// Sends one session's events to a stream. Streams with the same addition share the encoded events. Events with predictions are sent by
/// `PredictingStream`.
final class SessionStream: SessionListener {
  private let stream: EventStream
  private let hasReplica: Bool
  private let responses: SessionResponses

  init(_ stream: EventStream, hasReplica: Bool, _ responses: SessionResponses) {
    self.stream = stream
    self.hasReplica = hasReplica
    self.responses = responses
  }

  func hear(_ occurrences: ArraySlice<Occurrence>) {
    for occurrence in occurrences where !stream.send(occurrence.event(hasReplica: hasReplica)) { return }
  }

  func reset(to session: Session) {
    // `nil` means that the session contains a number that JSON cannot represent. A new stream of such a session is refused.
    guard let event = responses.resetEvent(session, with: hasReplica ? .replica : nil) else { return stream.end(.fault) }
    _ = stream.send(event)
  }

  func end(_ ending: FeedEnding) { stream.end(StreamReason(ending)) }

  func whenReady(_ note: @escaping @Sendable () -> Void) { stream.whenDrained(note) }
}

extension Occurrence {
  /// The event's text without predictions.
  func event(hasReplica: Bool) -> [UInt8] {
    bytes(with: hasReplica ? .replica : nil) { occurrence in
      occurrence.text(replica: hasReplica ? occurrence.difference.flatMap { ReplicaBody($0.bytes, by: $0.reducer) } : nil)
    }
  }

  /// The event's text with predictions.
  func event(with predictions: [PredictionBody]) -> [UInt8] { bytes(with: .predictions) { $0.text(predictions: predictions) } }

  private func text(replica: ReplicaBody? = nil, predictions: [PredictionBody]? = nil) -> [UInt8] {
    var entry = entry
    entry.cause = entry.cause.withheld(by: difference?.reducer.definition, placeholder: true)
    var body = ChangeBody(entry, transition)
    body.replica = replica
    body.predictions = predictions
    let change = EventText.bytes("change", id: tag.description, body)
    guard let newDefinition else { return change }
    return EventText.bytes("migrated", id: nil, MigratedBody(definition: newDefinition, revision: revision)) + change
  }
}
