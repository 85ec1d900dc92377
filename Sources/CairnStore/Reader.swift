import CairnCore
import CairnRuntime

/// The thread for reads that need the journal: sessions that are not in memory, history, lists.
final class Reader: Sendable {
  private struct Contents {
    var jobs: [@Sendable () -> Void] = []
    var isOpen = true
  }

  private let contents = Monitor(Contents())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Has a job done on the reader's thread; the fault if it may not wait.
  func offer(_ job: @escaping @Sendable () -> Void) -> StoreFault? {
    contents.change { contents in
      guard contents.isOpen else { return .stopping }
      guard contents.jobs.count < limit else { return .queueFull }
      contents.jobs.append(job)
      return nil
    }
  }

  /// Until it is closed and nothing is left to do. The reader's thread.
  func run() {
    while true {
      let jobs = contents.wait { contents -> [@Sendable () -> Void]? in
        guard !contents.jobs.isEmpty || !contents.isOpen else { return nil }
        defer { contents.jobs = [] }
        return contents.jobs
      }
      guard let jobs, !jobs.isEmpty else { return }
      for job in jobs { job() }
    }
  }

  /// Refuses further jobs; those that wait are still done.
  func close() { contents.change { $0.isOpen = false } }
}
