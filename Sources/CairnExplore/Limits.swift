/// The limits of an exploration. States beyond them are not explored, and never cause a finding.
package struct Limits: Sendable {
  /// Maximum number of nodes on one stack, and of modals on top of one another.
  package var depth = 4
  /// The maximum number of distinct states.
  package var states = 1_000_000
  /// The time limit in milliseconds; `nil` for no limit.
  package var time: Int?
  /// The maximum number of timers, loads and token calls in a state.
  package var effects = 6
  /// The maximum number of modals that wait for their level.
  package var waiting = 2
  /// The maximum number of held links.
  package var held = 2
  /// The maximum number of actions of a user without a network, each queue of which is tried in each state; 0 tries none.
  package var queue = 0
  /// The number of threads.
  package var threads = 2

  package init() {}

  /// The maximum number of nodes in a state. It bounds flows that contain flows, which no other limit does.
  var nodes: Int { 25 * depth }
}
