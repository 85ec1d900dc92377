/// The limits of a session and of one request. A request that exceeds them is refused as a whole, so no journal entry depends on them.
public struct Bounds: Hashable, Sendable {
  /// The maximum number of nodes in a session.
  public var nodes: Int
  /// The maximum number of running timers, loads and token calls in a session.
  public var effects: Int
  /// The maximum estimated size of a state in bytes.
  public var state: Int
  /// The maximum estimated size in bytes of a fact, of a node's content, or of all params of a step or node.
  public var value: Int
  /// The maximum number of effects that a request runs by advancing a manual clock.
  public var ticks: Int
  /// The maximum work of a request, in the units of `Meter.Cost`.
  public var work: Int

  public init(
    nodes: Int = 1_000, effects: Int = 1_000, state: Int = 256 << 10, value: Int = 64 << 10, ticks: Int = 1_000, work: Int = 200_000
  ) {
    self.nodes = min(nodes, Self.ceiling.nodes)
    self.effects = min(effects, Self.ceiling.effects)
    self.state = min(state, Self.ceiling.state)
    self.value = min(value, Self.ceiling.value)
    self.ticks = min(ticks, Self.ceiling.ticks)
    self.work = min(work, Self.ceiling.work)
  }

  private init(ceiling nodes: Int) {
    self.nodes = nodes
    effects = 10_000
    state = 64 << 20
    value = 1 << 20
    ticks = 100_000
    work = 100_000_000
  }

  /// The largest values that settings may have.
  public static let ceiling = Bounds(ceiling: 20_000)

  /// The maximum estimated number of bytes that a request may write to its session and its response.
  var written: Int { 4 * state }
}
