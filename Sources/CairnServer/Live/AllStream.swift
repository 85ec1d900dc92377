import CairnAPI
import CairnCore
import CairnJournal
import CairnStore

/// Sends the events of all sessions to one stream, or only the events of sessions with a given app, a given label, or both.
final class AllStream: AllSessionsSubscriber {
  /// Restricts the stream to sessions of an app, with a label, or both. A property that is `nil` matches every session.
  struct Filter: Sendable {
    var app: String?
    var label: String?

    func takes(_ identity: SessionIdentity) -> Bool { (app == nil || identity.app == app) && (label == nil || identity.label == label) }
  }

  private let stream: EventStream
  private let filter: Filter
  /// The prefix of the event ids, which identifies this run of the service.
  private let run: String

  init(_ stream: EventStream, _ filter: Filter, run: String) {
    self.stream = stream
    self.filter = filter
    self.run = run
  }

  func hear(_ events: ArraySlice<FeedEvent>) {
    for event in events where filter.takes(event.identity) {
      if case .forgotten = event.content { continue }
      guard stream.send(event.bytes(bytes)) else { return }
    }
  }

  func reset(at number: Int) { _ = stream.send(EventText.bytes("reset", id: id(number), json: Array("{}".utf8))) }

  func end(_ ending: FeedEnding) { stream.end(StreamReason(ending)) }

  private func id(_ number: Int) -> String { "\(run)-\(number)" }

  private func bytes(_ event: FeedEvent) -> [UInt8] {
    let identity = event.identity
    var origin = ChangeBody.Origin(session: identity.id, app: identity.app, label: identity.label)
    switch event.content {
    case .happened(let occurrence):
      guard occurrence.revision == 1 else {
        let change = EventText.bytes("change", id: id(event.number), ChangeBody(occurrence.entry, occurrence.transition, origin: origin))
        guard let definition = occurrence.newDefinition else { return change }
        let migrated = MigratedBody(definition: definition, revision: occurrence.revision, origin: origin)
        return EventText.bytes("migrated", id: nil, migrated) + change
      }
      origin.definition = occurrence.definition
      return EventText.bytes("started", id: id(event.number), ChangeBody(occurrence.entry, occurrence.transition, origin: origin))
    // This case does not occur, because `hear` skips these events.
    case .forgotten: return []
    case .ended(_, let ending, let time):
      return EventText.bytes("ended", id: id(event.number), EndBody(StreamReason(ending).rawValue, origin: origin, time: time))
    }
  }
}
