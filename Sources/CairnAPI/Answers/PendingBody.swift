package import CairnCore

/// Something that a session waits for.
package struct PendingBody: JSONWritable, Hashable, Sendable {
  package var kind: Kind
  package var url: String?
  package var until: Timestamp?
  package var node: NodeID?
  package var step: String?
  /// Of a timer; of a modal its screen or flow.
  package var name: String?
  /// Of a modal: the level that it waits for.
  package var level: Int?
  package var due: Timestamp?

  package enum Kind: String, JSONWritable, Sendable { case link, modal, load, timer, token }

  /// The held link first, then the modals that wait, then the effects in the order of their creation.
  package static func all(of state: State) -> [PendingBody] {
    let link = state.pendingLink.map { PendingBody(kind: .link, url: $0.url, until: Timestamp($0.until)) }
    return (link.map { [$0] } ?? []) + state.waitingModals.map(PendingBody.init) + state.effects.map(PendingBody.init)
  }

  private init(_ modal: Node) {
    self.init(kind: .modal)
    name = modal.name
    node = modal.id
    level = modal.level
  }

  private init(kind: Kind, url: String? = nil, until: Timestamp? = nil) {
    self.kind = kind
    self.url = url
    self.until = until
  }

  private init(_ effect: Effect) {
    switch effect.work {
    case .exchange:
      self.init(kind: .token)
      return
    case .timer(let name, let step, _, _, _):
      self.init(kind: .timer)
      self.name = name
      self.step = step.step
    case .value, .request: self.init(kind: .load)
    }
    node = effect.owner
    due = Timestamp(effect.due)
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("due", ifPresent: due)
    writer.member("kind", kind)
    writer.member("level", ifPresent: level)
    writer.member("name", ifPresent: name)
    writer.member("node", ifPresent: node)
    writer.member("step", ifPresent: step)
    writer.member("until", ifPresent: until)
    writer.member("url", ifPresent: url)
    writer.endObject()
  }
}
