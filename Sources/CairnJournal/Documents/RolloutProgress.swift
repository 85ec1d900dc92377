/// How far the sessions of a rollout have been visited, and how fast.
package struct RolloutProgress: Hashable, Sendable {
  /// The sessions that the rollout concerns: those that have moved, and those that the present round visits. With a share it is an estimate.
  package var total: Int
  /// The sessions that the present round has not visited yet.
  package var left: Int
  /// The sessions that the present round has visited per minute.
  package var perMinute: Int
  /// The node that visits them.
  package var node: String
  /// The time of the last step in milliseconds since 1970.
  package var time: Int

  package init(total: Int, left: Int, perMinute: Int, node: String, time: Int) {
    self.total = total
    self.left = left
    self.perMinute = perMinute
    self.node = node
    self.time = time
  }

  /// The time at which all sessions will have been visited if it goes on like this, in milliseconds since 1970; `nil` if none is left, or if the
  /// speed is unknown.
  package var expectedEnd: Int? { left > 0 && perMinute > 0 ? time + left * 60_000 / perMinute : nil }
}
