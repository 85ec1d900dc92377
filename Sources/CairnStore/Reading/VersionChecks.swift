import CairnRuntime

/// Asks the journal whether sessions in memory are still the newest, if other nodes write to it. One thread sends all questions that have arrived, in
/// one statement, and collects those that arrive meanwhile for the next one.
final class VersionChecks: Sendable {
  /// A question. `reply` receives whether the session is the newest; it is called on the thread of the checks.
  private struct Question {
    let session: Session
    let reply: @Sendable (Result<Bool, StoreFault>) -> Void
  }

  private struct Contents {
    var questions: [Question] = []
    var isOpen = true
  }

  private let journal: any Journal
  private let contents = Monitor(Contents())
  private let thread = Lock<NamedThread?>(nil)

  init(_ journal: any Journal) { self.journal = journal }

  /// Starts the thread, unless no other node writes to the journal.
  func start() throws(ThreadError) {
    guard !journal.isExclusive else { return }
    let new = try NamedThread("cairn-checks") { [self] in
      while let questions = next() { answer(questions) }
    }
    thread.withLock { $0 = new }
  }

  /// Answers the questions that have arrived, and ends the thread.
  func stop() {
    contents.change { $0.isOpen = false }
    thread.withLock { $0 }?.join()
  }

  func ask(_ session: Session, _ reply: @escaping @Sendable (Result<Bool, StoreFault>) -> Void) {
    let isOpen = contents.change { contents in
      if contents.isOpen { contents.questions.append(Question(session: session, reply: reply)) }
      return contents.isOpen
    }
    if !isOpen { reply(.failure(.stopping)) }
  }

  /// Blocks until there are questions; `nil` after the stop.
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
    do {
      let moved = try journal.moved(questions.map { ($0.session.id, $0.session.version) })
      for (index, question) in questions.enumerated() { question.reply(.success(!moved.contains(index))) }
    } catch {
      for question in questions { question.reply(.failure(.storage("\(error)"))) }
    }
  }
}
