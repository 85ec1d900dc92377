/// The contents of the next commit, and the results that are sent after it. Used by the writer's thread only.
struct Batch {
  private var places: [String: Int] = [:]
  /// The sessions that the batch uses, in the order of their first use.
  private(set) var staged: [Staged] = []
  /// The results to send. `message` is the request, which runs again if another node has changed the session; `nil` if no other node writes.
  private var answers: [(session: String, answer: Answer, message: Message?)] = []
  /// The service's own messages. A message is repeated if its session's part was not written.
  private var internals: [(session: String, message: Message)] = []

  /// The session with the changes of this batch; `nil` if the batch does not use it.
  subscript(id: String) -> Staged? { places[id].map { staged[$0] } }

  /// Adds a session to the batch, unless the batch contains it already.
  mutating func keep(_ touched: Staged) {
    guard !touched.isKept else { return }
    touched.isKept = true
    places[touched.session.id] = staged.count
    staged.append(touched)
  }

  /// Removes everything. The capacity of the arrays is kept.
  mutating func empty() {
    places.removeAll(keepingCapacity: true)
    staged.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
    internals.removeAll(keepingCapacity: true)
  }

  /// Whether there is anything to commit.
  var isChanged: Bool { staged.contains { $0.isGone || $0.isWritten } }

  /// Adds a result that is sent after the commit.
  mutating func answer(_ answer: Answer, of session: String, to message: Message?) { answers.append((session, answer, message)) }

  /// Adds one of the service's own messages, which is repeated if the commit fails.
  mutating func retain(_ message: Message, of session: String) { internals.append((session, message)) }

  /// The messages whose sessions were not written.
  func retained(_ isLost: (String) -> Bool) -> [Message] { internals.filter { isLost($0.session) }.map(\.message) }

  /// The requests and the service's own messages of a session, to run again in their order.
  func messages(of session: String) -> [Message] {
    answers.filter { $0.session == session }.compactMap(\.message) + internals.filter { $0.session == session }.map(\.message)
  }

  /// Sends the results of all sessions but those in `conflicts`. `fault` returns the reason why a session's part was not written, or `nil`.
  func answerAll(but conflicts: Set<String> = [], _ fault: (String) -> StoreFault?) {
    for (session, answer, _) in answers where conflicts.isEmpty || !conflicts.contains(session) { answer.give(fault(session)) }
  }

  /// The batch for the journal. It contains the definitions that sessions begin or go on with and that are not in `kept`. `time` is set if other nodes write too.
  func write(kept: Set<String>, checkedAt time: Int?) -> JournalBatch {
    var write = JournalBatch()
    if let time {
      write.checks = JournalBatch.Checks(
        versions: Dictionary(uniqueKeysWithValues: staged.lazy.map { ($0.session.id, $0.version) }), time: time)
    }
    write.sessions.reserveCapacity(staged.count)
    for staged in staged {
      if staged.isGone {
        if staged.base > 0 { write.deletions.append(staged.session.id) }
      } else if staged.isWritten {
        let session = staged.session
        for definition in staged.definitions where !kept.contains(definition.hash) { write.definitions[definition.hash] = definition.text }
        var changed = SessionWrite(
          session.record, after: staged.base, entries: staged.entries, secrets: staged.secrets, answers: staged.answers)
        changed.stages = staged.stages
        changed.beginning = staged.beginning
        if time != nil { (changed.begun, changed.ended) = staged.effectChange }
        write.sessions.append(changed)
      }
    }
    return write
  }
}
