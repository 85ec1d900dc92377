/// What the next commit will write, and the answers that wait for it. The writer's own.
struct Batch {
  private(set) var staged: [String: Staged] = [:]
  /// Session ids in the order in which they were touched.
  private(set) var order: [String] = []
  /// Called after the commit: with nil, or with why it failed.
  private(set) var answers: [(StoreFault?) -> Void] = []
  /// What the service asked of itself: asked again when the commit fails.
  private(set) var internals: [Message] = []

  /// A session as the commands before left it.
  subscript(id: String) -> Staged? {
    get { staged[id] }
    set {
      if staged[id] == nil { order.append(id) }
      staged[id] = newValue
    }
  }

  /// Whether a commit is needed.
  var isChanged: Bool { staged.values.contains { $0.isGone || $0.isChanged } }

  /// Has an answer wait for the commit.
  mutating func answer<Answer>(_ result: Result<Answer, StoreFault>, to reply: @escaping Reply<Answer>) {
    answers.append { fault in reply(fault.map(Result.failure) ?? result) }
  }

  /// Has the service's own message wait for the commit.
  mutating func retain(_ message: Message) { internals.append(message) }

  /// What the journal is given. Definitions that it has already (`kept`) are left out.
  func write(kept: Set<String>) -> JournalBatch {
    var write = JournalBatch()
    for id in order {
      guard let staged = staged[id] else { continue }
      if staged.isGone {
        if staged.base > 0 { write.deletions.append(id) }
      } else if staged.isChanged {
        let session = staged.session
        if !kept.contains(session.definition.hash) { write.definitions[session.definition.hash] = session.definition.text }
        write.sessions.append(
          SessionWrite(session.record, after: staged.base, entries: staged.entries, secrets: staged.secrets))
      }
    }
    return write
  }
}
