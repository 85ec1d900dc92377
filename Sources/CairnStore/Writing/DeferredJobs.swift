import CairnRuntime

/// The service's own jobs that run again after a pause, because their session could not be read or written. Used on the writer's thread
/// only.
final class DeferredJobs {
  private let parts: StoreParts
  private var jobs: [(time: Int, job: any Job)] = []

  init(_ parts: StoreParts) { self.parts = parts }

  /// The time of the next job, in milliseconds since 1970; `nil` if no job is deferred.
  var earliest: Int? { jobs.map(\.time).min() }

  /// Adds a job, which runs again after `StoreLimits.retry`.
  func add(_ job: any Job) { jobs.append((parts.clock.now() + parts.limits.retry, job)) }

  /// Removes and returns the jobs that are due.
  func take(at now: Int) -> [any Job] {
    guard !jobs.isEmpty else { return [] }
    let ready = jobs.filter { $0.time <= now }
    jobs.removeAll { $0.time <= now }
    return ready.map(\.job)
  }
}
