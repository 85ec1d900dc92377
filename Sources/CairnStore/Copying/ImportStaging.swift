import CairnJournal
import CairnRuntime

/// Stores the entries of an imported session in several commits before the session exists. Each commit is a job of the writer, so that jobs of other sessions
/// run in between.
package struct ImportStaging: Sendable {
  private let parts: StoreParts

  init(_ parts: StoreParts) { self.parts = parts }

  /// Stages the entries of a session, except for the last ones. `reply` receives the session to pass to `Store.create`, which commits the
  /// last entries and makes all of them readable. `reply` is called on the writer's thread or, for a short session, before the function
  /// returns.
  package func stage(_ imported: ImportedSession, reply: @escaping @Sendable (Result<ImportedSession, StoreFault>) -> Void) {
    let slices = imported.slices
    guard !slices.isEmpty else { return reply(.success(imported)) }
    stage(slices[...], at: nil) { place in reply(place.map { imported.following(slices, at: $0) }) }
  }

  private func stage(_ slices: ArraySlice<StagedEntries>, at place: Int?, reply: @escaping Reply<Int>) {
    guard let next = slices.first else { return reply(.success(place ?? 0)) }
    let then: Reply<Int> = { result in
      switch result {
      case .success(let place): self.stage(slices.dropFirst(), at: place, reply: reply)
      case .failure(let fault):
        if let place { self.unstage(place) }
        reply(.failure(fault))
      }
    }
    parts.mailbox.send(RequestJob(then) { _ throws(JournalError) in try self.commit(next, at: place) })
  }

  private func commit(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int {
    let start = Monotonic.now()
    let place = try parts.journal.writer.stage(entries, at: place)
    let duration = Monotonic.now() - start
    parts.figures.withLock { figures in
      figures.commits += 1
      figures.commitTimes.add(duration)
      figures.committedActions += entries.entries.count
      figures.largestBatch = max(figures.largestBatch, entries.entries.count)
      guard let app = entries.stages.last?.app else { return }
      for entry in entries.entries { figures.apps[app, default: AppFigures()].add(entry) }
    }
    return place
  }

  private func unstage(_ place: Int) {
    let then: Reply<Void> = { _ in }
    parts.mailbox.send(RequestJob(then) { _ throws(JournalError) in try parts.journal.writer.unstage(place) })
  }

  /// Wraps `reply`: after the reply, the staged entries are discarded unless a session was created with them. No session is created if the
  /// commit failed, or if another request has already created it.
  func tidying<Answer>(_ new: NewSession, _ reply: @escaping Reply<Answer>) -> Reply<Answer> {
    guard case .imported(let imported) = new.start, let place = imported.staged else { return reply }
    return { result in
      reply(result)
      unstage(place)
    }
  }
}
