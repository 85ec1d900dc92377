import CairnRuntime

/// The queue of the writer's jobs. The number of waiting commands of callers is limited; the number of waiting results of effects is unlimited.
final class Mailbox: Sendable {
  private struct Contents {
    var jobs: [any Job] = []
    var external = 0
    var isOpen = false
    var isNudged = false
    /// Whether the writer is waiting and must be woken.
    var isAwaited = false
  }

  /// The jobs for one batch.
  struct Taken {
    var jobs: [any Job]
    /// Whether these are the last jobs, because the mailbox is closed and empty.
    var isLast: Bool
  }

  private let contents = Monitor(Contents())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The number of waiting commands of callers.
  var depth: Int { contents.withLock { $0.external } }

  /// Whether commands are accepted.
  var isOpen: Bool { contents.withLock { $0.isOpen } }

  /// Starts accepting commands.
  func open() { contents.withLock { $0.isOpen = true } }

  /// Rejects new jobs. The writer processes the waiting jobs and then ends.
  func close() { contents.change { $0.isOpen = false } }

  /// Queues a command. Refuses it if the mailbox is closed or full.
  func send(_ job: any Job) {
    let (fault, isAwaited) = contents.withLock { contents -> (StoreFault?, Bool) in
      guard contents.isOpen else { return (.stopping, false) }
      guard contents.external < limit else { return (.queueFull, false) }
      contents.external += 1
      contents.jobs.append(job)
      defer { contents.isAwaited = false }
      return (nil, contents.isAwaited)
    }
    // The writer only needs to be woken if it waits. During a commit it does not wait.
    if isAwaited { contents.wake() }
    if let fault { job.refuse(fault) }
  }

  /// Queues the end of an effect regardless of the limit. Ignored after `close`, because the effect runs again after a restart.
  func deliver(_ job: EffectJob) {
    contents.change { contents in
      if contents.isOpen { contents.jobs.append(job) }
    }
  }

  /// Wakes the writer, so that it searches for due work immediately.
  func nudge() { contents.change { $0.isNudged = true } }

  /// Blocks until there are jobs, `nudge` was called, the deadline (`Monotonic`) has passed, or the mailbox is closed. Returns at most `limit` jobs, which
  /// may be none.
  func take(until deadline: UInt64?, limit: Int) -> Taken {
    let taken: Taken? = contents.wait(until: deadline) { contents in
      guard !contents.jobs.isEmpty || contents.isNudged || !contents.isOpen else {
        contents.isAwaited = true
        return nil
      }
      contents.isNudged = false
      contents.isAwaited = false
      var jobs: [any Job] = []
      if contents.jobs.count <= limit {
        swap(&jobs, &contents.jobs)
      } else {
        jobs = Array(contents.jobs.prefix(limit))
        contents.jobs.removeFirst(limit)
      }
      contents.external -= jobs.count { $0.isExternal }
      return Taken(jobs: jobs, isLast: !contents.isOpen && contents.jobs.isEmpty)
    }
    return taken ?? Taken(jobs: [], isLast: false)
  }
}
