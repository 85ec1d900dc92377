/// What the next commit will write, and the answers that wait for it. The writer's own.
struct Batch {
  /// An answer that waits: called with nil, or with why its session's part was not written.
  private struct Waiting {
    var session: String
    var answer: (StoreFault?) -> Void
  }

  private var places: [String: Int] = [:]
  /// The sessions that were touched, in the order in which they were.
  private(set) var staged: [Staged] = []
  private var answers: [Waiting] = []
  /// What the service asked of itself: asked again when its session's part was not written.
  private var internals: [(session: String, message: Message)] = []

  /// A session as the commands before left it.
  subscript(id: String) -> Staged? {
    get { places[id].map { staged[$0] } }
    set {
      // Nothing is taken out of a batch.
      guard let newValue else { return }
      if let place = places[id] {
        staged[place] = newValue
      } else {
        places[id] = staged.count
        staged.append(newValue)
      }
    }
  }

  /// Whether a commit is needed.
  var isChanged: Bool { staged.contains { $0.isGone || $0.isChanged } }

  /// Has an answer wait for the commit of its session.
  mutating func answer<Answer>(_ result: Result<Answer, StoreFault>, of session: String, to reply: @escaping Reply<Answer>) {
    answers.append(Waiting(session: session) { fault in reply(fault.map(Result.failure) ?? result) })
  }

  /// Has the service's own message wait for the commit of its session.
  mutating func retain(_ message: Message, of session: String) { internals.append((session, message)) }

  /// The messages whose sessions were not written.
  func retained(_ isLost: (String) -> Bool) -> [Message] { internals.filter { isLost($0.session) }.map(\.message) }

  /// Gives every answer: `fault` says why a session's part was not written.
  func answerAll(_ fault: (String) -> StoreFault?) {
    for waiting in answers { waiting.answer(fault(waiting.session)) }
  }

  /// What the journal is given. Definitions that it has already (`kept`) are left out.
  func write(kept: Set<String>) -> JournalBatch {
    var write = JournalBatch()
    for staged in staged {
      if staged.isGone {
        if staged.base > 0 { write.deletions.append(staged.session.id) }
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
