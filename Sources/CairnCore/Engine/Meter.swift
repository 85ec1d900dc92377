/// The used part of a request's bounds, shared by all its actions.
public struct Meter: Sendable {
  /// Costs in units of work, about a tenth of a microsecond each.
  enum Cost {
    static let action = 8
    static let turn = 16
    static let node = 4
    /// The number of nodes that cost one unit in each action and turn, which may have to visit all of them.
    static let nodesPerStep = 8
    /// The approximate size of a turn's two events in a response, in bytes.
    static let events = 100
  }

  let bounds: Bounds
  /// Whether anything is counted. An entry that is run again is not limited.
  let isCounting: Bool
  /// The used units of work.
  public private(set) var work = 0
  private(set) var bytes = 0
  private(set) var ticks = 0

  /// Counts within bounds.
  public init(_ bounds: Bounds) {
    self.bounds = bounds
    isCounting = true
  }

  private init() {
    bounds = .ceiling
    isCounting = false
  }

  /// A meter that counts nothing. Limits that do not depend on bounds still apply.
  public static let idle = Meter()

  /// A meter with the same bounds and nothing used.
  var fresh: Meter { isCounting ? Meter(bounds) : self }

  /// Counts units of work in a session with this number of nodes.
  mutating func work(_ steps: Int, nodes: Int) throws(Refusal) {
    guard isCounting else { return }
    work += steps + nodes / Cost.nodesPerStep
    guard work <= bounds.work else {
      throw Refusal(
        .tooMuchWork,
        "the request takes more than \(bounds.work) steps of work, which is the most; send less at once, or to a smaller session")
    }
  }

  /// Counts bytes that are written to the session or the response.
  mutating func write(_ count: Int) throws(Refusal) {
    guard isCounting else { return }
    bytes += count
    guard bytes <= bounds.written else {
      throw Refusal(.tooMuchWork, "the request writes more than \(bounds.written) bytes, which is the most; send less at once")
    }
  }

  /// Counts a value that is written. `what` and `name` describe it in a refusal, such as "the fact" and its name.
  mutating func write(_ value: Value, as what: StaticString, _ name: String = "") throws(Refusal) {
    guard isCounting else { return }
    try writeValue(value.size, what, name)
  }

  /// Counts values that belong together, by name.
  mutating func write(_ values: [String: Value], as what: StaticString, _ name: String = "") throws(Refusal) {
    guard isCounting, !values.isEmpty else { return }
    try writeValue(values.size, what, name)
  }

  private mutating func writeValue(_ size: Int, _ what: StaticString, _ name: String) throws(Refusal) {
    guard size <= bounds.value else {
      let whole = name.isEmpty ? "\(what)" : "\(what) \(name)"
      throw Refusal(.valueTooLarge, "\(whole) would take about \(size) bytes; \(bounds.value) is the most")
    }
    try write(size)
  }

  /// Counts the effects that an advance of the clock has run.
  mutating func tick(_ other: Meter) throws(Refusal) {
    ticks += 1
    let most = isCounting ? bounds.ticks : Reducer.advanceLimit
    guard ticks <= most else {
      throw Refusal(.advanceTooFar, "more than \(most) effects are due within this time; advance in smaller steps")
    }
    try work(other.work, nodes: 0)
    try write(other.bytes)
  }
}
