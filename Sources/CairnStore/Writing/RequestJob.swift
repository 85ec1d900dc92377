import CairnJournal

/// A caller's command whose work is a closure. Frequent commands have their own type of job, which needs fewer allocations.
final class RequestJob<Answer: Sendable>: Job {
  let session: String?
  let changesSession: Bool
  private let reply: Reply<Answer>
  private let work: @Sendable (Writer, inout Batch) throws(StoreFault) -> Answer

  /// A command for a session. The reply is sent after the commit. `isNew` is set if the command creates the session.
  init(
    _ session: String, isNew: Bool = false, _ reply: @escaping Reply<Answer>,
    work: @escaping @Sendable (Writer, inout Batch) throws(StoreFault) -> Answer
  ) {
    self.session = session
    changesSession = !isNew
    self.reply = reply
    self.work = work
  }

  /// Creates a command that concerns no session. The command itself writes to the journal, so the reply does not wait for a commit.
  init(_ reply: @escaping Reply<Answer>, work: @escaping @Sendable (Writer) throws(JournalError) -> Answer) {
    session = nil
    changesSession = false
    self.reply = reply
    self.work = { writer, _ throws(StoreFault) in
      do throws(JournalError) {
        return try work(writer)
      } catch {
        throw StoreFault(error)
      }
    }
  }

  func run(on writer: Writer, in batch: inout Batch) {
    let result = Result { () throws(StoreFault) in try work(writer, &batch) }
    guard session != nil else { return reply(result) }
    batch.answer(.other { [reply] fault in reply(fault.map(Result.failure) ?? result) }, to: self)
  }

  func refuse(_ fault: StoreFault) { reply(.failure(fault)) }
}
