import CairnAPI
import CairnCore
import CairnStore

/// A stream of the events of all sessions, or of those of an app or with a label.
final class AllStream: AllSessionsSubscriber {
  /// The sessions whose events are sent. `nil` accepts any value.
  struct Filter: Sendable {
    var app: String?
    var label: String?

    func takes(_ birth: Birth) -> Bool { (app == nil || birth.app == app) && (label == nil || birth.label == label) }
  }

  private let stream: EventStream
  private let filter: Filter
  /// The prefix of event ids, which differs for each run of the service.
  private let run: String

  init(_ stream: EventStream, _ filter: Filter, run: String) {
    self.stream = stream
    self.filter = filter
    self.run = run
  }

  func hear(_ events: ArraySlice<FeedEvent>) {
    for event in events where filter.takes(event.birth) {
      guard stream.send(event.bytes(bytes)) else { return }
    }
  }

  func reset(at number: Int) { _ = stream.send(EventText.bytes("reset", id: id(number), json: Array("{}".utf8))) }

  func end(_ ending: FeedEnding) { stream.end(StreamReason(ending)) }

  private func id(_ number: Int) -> String { "\(run)-\(number)" }

  private func bytes(_ event: FeedEvent) -> [UInt8] {
    let birth = event.birth
    var origin = ChangeBody.Origin(session: birth.id, app: birth.app, label: birth.label)
    switch event.content {
    case .happened(let occurrence):
      guard case .creation = occurrence.entry.cause else {
        return EventText.bytes("change", id: id(event.number), ChangeBody(occurrence.entry, occurrence.transition, origin: origin))
      }
      origin.definition = birth.definition
      return EventText.bytes("started", id: id(event.number), ChangeBody(occurrence.entry, occurrence.transition, origin: origin))
    case .ended(_, let ending, let time):
      return EventText.bytes("ended", id: id(event.number), EndBody(StreamReason(ending).rawValue, origin: origin, time: time))
    }
  }
}
