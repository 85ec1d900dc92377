/// The limits of an exploration. States beyond them are unknown, and never cause a finding.
package struct Limits: Sendable {
  /// Nodes on one stack, and modals over each other.
  package var depth = 4
  /// The highest number of distinct states.
  package var states = 1_000_000
  /// Milliseconds; nil: as long as it takes.
  package var time: Int?
  /// Timers, loads and token calls of a state.
  package var effects = 6
  /// Modals that wait for their level.
  package var waiting = 2
  /// Links that are held.
  package var held = 2
  /// Threads.
  package var threads = 2

  package init() {}

  /// Nodes of a state in all: flows inside flows have no other end.
  var nodes: Int { 25 * depth }
}
