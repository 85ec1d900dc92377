/// The progress of a rollout: the numbers of all and of the remaining sessions, and the speed.
package struct RolloutProgress: Hashable, Sendable {
  /// The number of sessions that the rollout concerns: those that have moved, and those that the current round visits. It is an estimate if
  /// the share is below 100 %.
  package var total: Int
  /// The number of sessions that the current round has not visited yet; an estimate if the share is below 100 %.
  package var left: Int
  /// The number of sessions that the current round visits per minute.
  package var perMinute: Int
  /// The node that performs the round.
  package var node: String
  /// The time at which this progress was recorded, after a batch of sessions had been visited, in milliseconds since 1970.
  package var time: Int

  package init(total: Int, left: Int, perMinute: Int, node: String, time: Int) {
    self.total = total
    self.left = left
    self.perMinute = perMinute
    self.node = node
    self.time = time
  }

  /// The expected time at which all sessions will have been visited, in milliseconds since 1970; `nil` if no sessions are left, or if the
  /// speed is unknown.
  package var expectedEnd: Int? { left > 0 && perMinute > 0 ? time + left * 60_000 / perMinute : nil }
}
