import CairnJournal

/// The contents of the next commit, and the results that are sent after it. Used by the writer's thread only.
struct Batch {
  private var places: [String: Int] = [:]
  /// The sessions that the batch uses, in the order of their first use.
  private(set) var staged: [Staged] = []
  /// The results to send, with their jobs. A job runs again if another node has changed its session.
  private var answers: [(job: any Job, answer: Answer)] = []
  /// The service's own jobs. A job is repeated if the changes of its session were not written.
  private var internals: [any Job] = []

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

  /// Whether the batch has changes to commit.
  var isChanged: Bool { staged.contains { $0.isGone || $0.isWritten } }

  /// Adds a result that is sent after the commit.
  mutating func answer(_ answer: Answer, to job: any Job) { answers.append((job, answer)) }

  /// Adds one of the service's own jobs, which is repeated if the commit fails.
  mutating func retain(_ job: any Job) { internals.append(job) }

  /// The service's own jobs whose sessions were not written.
  func retained(_ isLost: (String) -> Bool) -> [any Job] { internals.filter { $0.session.map(isLost) ?? false } }

  /// The callers' and the service's own jobs of a session, to run again in their order.
  func jobs(of session: String) -> [any Job] {
    answers.map(\.job).filter { $0.session == session } + internals.filter { $0.session == session }
  }

  /// Sends the results of all sessions except those in `conflicts`. `fault` returns the reason why a session's changes were not written, or
  /// `nil`.
  func answerAll(but conflicts: Set<String> = [], _ fault: (String) -> StoreFault?) {
    for (job, answer) in answers {
      guard let session = job.session, conflicts.isEmpty || !conflicts.contains(session) else { continue }
      answer.give(fault(session))
    }
  }

  /// The batch for the journal. It contains the definitions that new entries set and that are not in `kept`. `time` is the time of the checks, in milliseconds
  /// since 1970; `nil` if no other node writes.
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
        changed.staged = staged.place
        changed.beginning = staged.beginning
        if time != nil { (changed.begun, changed.ended) = staged.effectChange }
        write.sessions.append(changed)
      }
    }
    return write
  }
}
