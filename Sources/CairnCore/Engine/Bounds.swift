/// The limits of a session and of one request. A request beyond them is refused whole, so no entry of a journal depends on them.
public struct Bounds: Hashable, Sendable {
  /// Nodes that a session has at once.
  public var nodes: Int
  /// Timers, loads and token calls of a session that run at once.
  public var effects: Int
  /// Bytes of a state, by estimate.
  public var state: Int
  /// Bytes of one value, by estimate: a fact, the content of a node, the params of a step or of a node together.
  public var value: Int
  /// Effects that the moves of a manual clock in one request run.
  public var ticks: Int
  /// Steps of work of one request (`Meter.Cost`).
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

  /// The highest values that settings may have.
  public static let ceiling = Bounds(ceiling: 20_000)

  /// Bytes that one request may write into its session and its answer, by estimate.
  var written: Int { 4 * state }
}
