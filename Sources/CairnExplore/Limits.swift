/// The limits of an exploration. States beyond them are not explored, and never cause a finding.
package struct Limits: Sendable {
  /// Maximum number of nodes on one stack, and of layers: the app and the modals that are presented on nodes.
  package var depth = 4
  /// The maximum number of distinct states.
  package var states = 1_000_000
  /// The time limit in milliseconds; `nil` for no limit.
  package var time: Int?
  /// The maximum number of effects in a state, such as timers, loads and token calls.
  package var effects = 6
  /// The maximum number of queued modals and overlays.
  package var waiting = 2
  /// The maximum number of held links.
  package var held = 2
  /// The maximum number of actions in a queue of a user without a network. Queues up to this length are tried in each state; 0 tries none.
  package var queue = 0
  /// The number of threads.
  package var threads = 2

  package init() {}

  /// The maximum number of nodes in a state. It bounds flows that contain flows, which the other limits do not bound.
  var nodes: Int { 25 * depth }
}
