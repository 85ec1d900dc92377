import CairnJournal
import CairnRuntime

/// Compares sessions in memory with a shared journal before readers use them, and updates the sessions that another node has changed. One
/// thread compares all queued sessions with one statement. Sessions that are queued during the statement are compared by the next one.
final class VersionChecks: Sendable {
  /// A session to compare. `reply` receives the newest state; `nil` if the session must be read completely, or does not exist. `reply` is
  /// called on the thread of the checks.
  private struct Question {
    let session: Session
    /// The cache's mark for a state that is read for this comparison.
    let mark: SessionCache.Mark
    let reply: @Sendable (Result<Session?, StoreFault>) -> Void
  }

  private struct Contents {
    var questions: [Question] = []
    var isOpen = true
  }

  private let committed: CommittedSessions
  private let losses: KnownLosses
  private let contents = Monitor(Contents())
  private let thread = Lock<NamedThread?>(nil)

  init(_ committed: CommittedSessions, _ losses: KnownLosses) {
    self.committed = committed
    self.losses = losses
  }

  func start() throws(ThreadError) {
    let new = try NamedThread("cairn-checks") { [self] in
      while let questions = next() { answer(questions) }
    }
    thread.withLock { $0 = new }
  }

  /// Compares the sessions that are queued, then ends the thread. Blocks until then.
  func stop() {
    contents.change { $0.isOpen = false }
    thread.withLock { $0 }?.join()
  }

  func ask(_ session: Session, _ reply: @escaping @Sendable (Result<Session?, StoreFault>) -> Void) {
    let mark = committed.cache.mark(session.id)
    let isOpen = contents.change { contents in
      if contents.isOpen { contents.questions.append(Question(session: session, mark: mark, reply: reply)) }
      return contents.isOpen
    }
    if !isOpen { reply(.failure(.stopping)) }
  }

  /// Blocks until sessions are queued, and returns them; returns `nil` after the stop.
  private func next() -> [Question]? {
    let taken: [Question]?? = contents.wait { contents in
      guard contents.questions.isEmpty else {
        defer { contents.questions = [] }
        return .some(contents.questions)
      }
      return contents.isOpen ? nil : .some(nil)
    }
    return taken ?? nil
  }

  private func answer(_ questions: [Question]) {
    let changed: [Int: SessionRecord?]
    do {
      changed = try committed.journal.sessions.changed(since: questions.map(\.session.record))
    } catch {
      for question in questions { question.reply(.failure(.storage("\(error)"))) }
      return
    }
    for (index, record) in changed { losses.note(questions[index].session, at: record?.version, in: committed.journal.sessions) }
    for (index, question) in questions.enumerated() {
      question.reply(.success(changed[index].map { newest($0, question.mark) } ?? question.session))
    }
  }

  /// The session of a record that was just read; `nil` without a record, or if its definition cannot be read.
  private func newest(_ record: SessionRecord?, _ mark: SessionCache.Mark) -> Session? {
    // Unreported: the error is ignored here. The caller reads the whole session, and reports the error.
    guard let record, let session = try? committed.library.session(record, in: committed.journal.documents) else { return nil }
    committed.cache.keep(session, readAt: mark)
    return session
  }
}
