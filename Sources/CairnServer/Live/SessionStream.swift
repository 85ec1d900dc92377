import CairnAPI
import CairnStore

/// Sends one session's events to a stream.
final class SessionStream: SessionListener {
  private let stream: EventStream

  init(_ stream: EventStream) { self.stream = stream }

  func hear(_ occurrences: ArraySlice<Occurrence>) {
    for occurrence in occurrences where !stream.send(occurrence.bytes(Self.bytes)) { return }
  }

  func end(_ ending: FeedEnding) { stream.end(StreamReason(ending)) }

  func whenReady(_ note: @escaping @Sendable () -> Void) { stream.whenDrained(note) }

  private static func bytes(_ occurrence: Occurrence) -> [UInt8] {
    let change = EventText.bytes("change", id: occurrence.tag.description, ChangeBody(occurrence.entry, occurrence.transition))
    guard let definition = occurrence.newDefinition else { return change }
    return EventText.bytes("migrated", id: nil, MigratedBody(definition: definition, revision: occurrence.revision)) + change
  }
}
