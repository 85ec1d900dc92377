/// The limits of a session and of one request. A request that exceeds a limit is refused as a whole, so the entries of a journal do not
/// depend on the limits.
public struct Bounds: Hashable, Sendable {
  /// Maximum number of nodes in a session.
  public var nodes: Int
  /// Maximum number of running timers, loads, token requests and messages in a session.
  public var effects: Int
  /// Maximum estimated size of a state, in bytes.
  public var state: Int
  /// Maximum estimated size of one value, in bytes: a fact, the content of a node, or all params of a step or node.
  public var value: Int
  /// Maximum number of effects that run while one request advances a manual clock.
  public var ticks: Int
  /// Maximum number of work steps of one request (`Meter.Cost`).
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

  /// The maximum values that settings may specify.
  public static let ceiling = Bounds(ceiling: 20_000)

  /// Maximum number of bytes, by estimate, that one request may write into the session and the response.
  var written: Int { 4 * state }
}
