/// The next commit, and the responses that wait for it. Only for the writer.
struct Batch {
  private var places: [String: Int] = [:]
  /// The sessions that were touched, in the order in which they were.
  private(set) var staged: [Staged] = []
  private var answers: [(session: String, answer: Answer)] = []
  /// The service's own messages: repeated if their session's part was not written.
  private var internals: [(session: String, message: Message)] = []

  /// A session as the commands before left it.
  subscript(id: String) -> Staged? { places[id].map { staged[$0] } }

  /// Takes a session in, or what has become of one that is here.
  mutating func keep(_ touched: Staged) {
    guard !touched.isKept else { return }
    touched.isKept = true
    places[touched.session.id] = staged.count
    staged.append(touched)
  }

  /// Makes it as new; what it took room for is kept for the next one.
  mutating func empty() {
    places.removeAll(keepingCapacity: true)
    staged.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
    internals.removeAll(keepingCapacity: true)
  }

  /// Whether a commit is needed.
  var isChanged: Bool { staged.contains { $0.isGone || $0.isWritten } }

  /// Has an answer wait for the commit of its session.
  mutating func answer(_ answer: Answer, of session: String) { answers.append((session, answer)) }

  /// Has the service's own message wait for the commit of its session.
  mutating func retain(_ message: Message, of session: String) { internals.append((session, message)) }

  /// The messages whose sessions were not written.
  func retained(_ isLost: (String) -> Bool) -> [Message] { internals.filter { isLost($0.session) }.map(\.message) }

  /// Gives every answer: `fault` says why a session's part was not written.
  func answerAll(_ fault: (String) -> StoreFault?) {
    for (session, answer) in answers { answer.give(fault(session)) }
  }

  /// The batch for the journal. Definitions that it has already (`kept`) are left out, and those of existing sessions.
  func write(kept: Set<String>) -> JournalBatch {
    var write = JournalBatch()
    write.sessions.reserveCapacity(staged.count)
    for staged in staged {
      if staged.isGone {
        if staged.base > 0 { write.deletions.append(staged.session.id) }
      } else if staged.isWritten {
        let session = staged.session
        if staged.base == 0, !kept.contains(session.definition.hash) {
          write.definitions[session.definition.hash] = session.definition.text
        }
        write.sessions.append(
          SessionWrite(session.record, after: staged.base, entries: staged.entries, secrets: staged.secrets, answers: staged.answers))
      }
    }
    return write
  }
}
