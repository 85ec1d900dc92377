/// Receives the result of a command. Called once.
typealias Reply<Answer> = @Sendable (Result<Answer, StoreFault>) -> Void

/// A message to the writer, with its work and its reply. A class, so that queues copy one reference.
protocol Job: AnyObject, Sendable {
  /// The session that the job concerns; `nil` if it concerns none.
  var session: String? { get }
  /// Whether the job changes an existing session.
  var changesSession: Bool { get }
  /// Whether a caller sent the job, instead of the service itself.
  var isExternal: Bool { get }
  /// Whether the job may take long, and therefore yields to quick jobs (`Lanes`).
  var isLong: Bool { get }

  /// Performs the work. The result is added to the batch, and sent after the commit. Called on the writer's thread. If the commit
  /// conflicted, the job runs again.
  func run(on writer: Writer, in batch: inout Batch)

  /// Replies with a fault to a job that has not been run.
  func refuse(_ fault: StoreFault)
}

extension Job {
  var changesSession: Bool { session != nil }
  var isExternal: Bool { true }
  var isLong: Bool { false }

  /// The existing session that the job changes; `nil` if it creates a session, or concerns none.
  var changedSession: String? { changesSession ? session : nil }
}
