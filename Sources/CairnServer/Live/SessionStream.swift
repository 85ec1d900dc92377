import CairnAPI
import CairnCore
import CairnStore

/// Sends one session's events to a stream. The streams with the same addition share a rendering.
final class SessionStream: SessionListener {
  private let stream: EventStream
  private let addition: Addition?
  private let service: Service

  init(_ stream: EventStream, with addition: Addition?, service: Service) {
    self.stream = stream
    self.addition = addition
    self.service = service
  }

  func hear(_ occurrences: ArraySlice<Occurrence>) {
    for occurrence in occurrences where !stream.send(bytes(of: occurrence)) { return }
  }

  func end(_ ending: FeedEnding) { stream.end(StreamReason(ending)) }

  func whenReady(_ note: @escaping @Sendable () -> Void) { stream.whenDrained(note) }

  private func bytes(of occurrence: Occurrence) -> [UInt8] {
    occurrence.bytes(with: addition) { occurrence, basis in
      var entry = occurrence.entry
      entry.cause = entry.cause.withheld(by: occurrence.difference?.reducer.definition, placeholder: true)
      var body = ChangeBody(entry, occurrence.transition)
      switch addition {
      case .predictions: body.predictions = basis.map(service.predictions)
      case .replica: body.replica = occurrence.difference.flatMap { ReplicaBody($0.bytes, by: $0.reducer) }
      case nil: break
      }
      let change = EventText.bytes("change", id: occurrence.tag.description, body)
      guard let definition = occurrence.newDefinition else { return change }
      return EventText.bytes("migrated", id: nil, MigratedBody(definition: definition, revision: occurrence.revision)) + change
    }
  }
}
