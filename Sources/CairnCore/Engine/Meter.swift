/// The consumed part of one request's bounds: all its actions share it.
public struct Meter: Sendable {
  /// Costs, in steps of work: about a tenth of a microsecond each.
  enum Cost {
    static let action = 8
    static let turn = 16
    static let node = 4
    /// Each action and each turn may have to look at all nodes: so many of them cost one step.
    static let nodesPerStep = 8
    /// Bytes that the two events of a turn take in an answer.
    static let events = 100
  }

  let bounds: Bounds
  /// nil where nothing is counted: an entry that was made is run again whatever it took.
  let isCounting: Bool
  /// Steps of work so far.
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

  /// Counts nothing; what holds whatever the bounds holds still.
  public static let idle = Meter()

  /// A meter with the same bounds and nothing consumed.
  var fresh: Meter { isCounting ? Meter(bounds) : self }

  /// Steps of work are done, in a session of so many nodes.
  mutating func work(_ steps: Int, nodes: Int) throws(Refusal) {
    guard isCounting else { return }
    work += steps + nodes / Cost.nodesPerStep
    guard work <= bounds.work else {
      throw Refusal(
        .tooMuchWork,
        "the request takes more than \(bounds.work) steps of work, which is the most; send less at once, or to a smaller session")
    }
  }

  /// Bytes are written into the session or the answer.
  mutating func write(_ count: Int) throws(Refusal) {
    guard isCounting else { return }
    bytes += count
    guard bytes <= bounds.written else {
      throw Refusal(.tooMuchWork, "the request writes more than \(bounds.written) bytes, which is the most; send less at once")
    }
  }

  /// A value is written. `what` and `name` tell in a refusal which one it is, such as "the fact" and its name.
  mutating func write(_ value: Value, as what: StaticString, _ name: String = "") throws(Refusal) {
    guard isCounting else { return }
    try writeValue(value.size, what, name)
  }

  /// Values that belong together are written, by their names.
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

  /// Effects were run by a move of the clock, with what they took.
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
