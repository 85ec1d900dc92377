import CairnAPI
import CairnStore

/// Sends one session's events to a stream. The streams that want predictions share a rendering of their own.
final class SessionStream: SessionListener {
  private let stream: EventStream
  /// Computes the predictions; `nil` if the stream has none.
  private let service: Service?

  init(_ stream: EventStream, predicting service: Service? = nil) {
    self.stream = stream
    self.service = service
  }

  func hear(_ occurrences: ArraySlice<Occurrence>) {
    for occurrence in occurrences where !stream.send(bytes(of: occurrence)) { return }
  }

  func end(_ ending: FeedEnding) { stream.end(StreamReason(ending)) }

  func whenReady(_ note: @escaping @Sendable () -> Void) { stream.whenDrained(note) }

  private func bytes(of occurrence: Occurrence) -> [UInt8] {
    guard let service else { return occurrence.bytes { Self.bytes($0) } }
    return occurrence.bytesWithPredictions { Self.bytes($0, predictions: $1.map(service.predictions)) }
  }

  private static func bytes(_ occurrence: Occurrence, predictions: [PredictionBody]? = nil) -> [UInt8] {
    let body = ChangeBody(occurrence.entry, occurrence.transition, predictions: predictions)
    let change = EventText.bytes("change", id: occurrence.tag.description, body)
    guard let definition = occurrence.newDefinition else { return change }
    return EventText.bytes("migrated", id: nil, MigratedBody(definition: definition, revision: occurrence.revision)) + change
  }
}
