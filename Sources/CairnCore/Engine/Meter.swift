/// The consumed part of the bounds of one request. All actions of the request share one meter.
public struct Meter: Sendable {
  /// Costs in work steps of about a tenth of a microsecond each.
  enum Cost {
    static let action = 8
    static let turn = 16
    static let node = 4
    /// Each action and each turn costs one work step per this number of nodes, because it may visit all nodes of the session.
    static let nodesPerStep = 8
    /// The size of a turn's two events in a response, in bytes.
    static let events = 100
  }

  let bounds: Bounds
  #if CLIENT_ENGINE
    /// The engine of a client does not count work. This property is constant, so the compiler omits the code that counts.
    var isCounting: Bool { false }
  #else
    /// Whether work is counted. It is not counted during the replay of an entry of the journal, because a replay must succeed even if the
    /// entry exceeds a bound.
    let isCounting: Bool
  #endif
  /// The number of work steps so far.
  public private(set) var work = 0
  /// The work of actions that were refused. It is not part of `work`: if the end of an effect exceeds the bound, the effect must still be
  /// abandoned within the same bound.
  private var refused = 0
  private(set) var bytes = 0
  private(set) var ticks = 0

  /// A meter that throws when these bounds are exceeded.
  public init(_ bounds: Bounds) {
    self.bounds = bounds
    #if !CLIENT_ENGINE
      isCounting = true
    #endif
  }

  private init() {
    bounds = .ceiling
    #if !CLIENT_ENGINE
      isCounting = false
    #endif
  }

  /// A meter that counts nothing. Limits that do not depend on `Bounds` still apply.
  public static let idle = Meter()

  /// The total of all work steps so far, including those of refused actions.
  public var spent: Int { work + refused }

  /// Adds the work of an action that was refused. `other` is the meter of its run, which began as a copy of this one.
  mutating func noteRefused(_ other: Meter) { refused += max(0, other.work - work) }

  /// Whether the actions of the request, including refused ones, have used up the bound of work steps.
  package var isUsedUp: Bool { isCounting && spent >= bounds.work }

  /// A meter with the same bounds and nothing consumed.
  var fresh: Meter { isCounting ? Meter(bounds) : self }

  /// Counts `steps` work steps, and one more for every `Cost.nodesPerStep` nodes of the session. Throws `too-much-work` if the bound is
  /// exceeded.
  package mutating func work(_ steps: Int, nodes: Int) throws(Refusal) {
    guard isCounting else { return }
    work += steps + nodes / Cost.nodesPerStep
    guard work <= bounds.work else { throw refusal }
  }

  /// The refusal of a request that needs too much work.
  package var refusal: Refusal {
    Refusal(
      .tooMuchWork,
      "the request needs more than the maximum of \(bounds.work) units of work; send fewer actions at once, or use a smaller session")
  }

  /// Counts bytes written into the session or the response. Throws `too-much-work` if the bound is exceeded.
  mutating func write(_ count: Int) throws(Refusal) {
    guard isCounting else { return }
    bytes += count
    guard bytes <= bounds.written else {
      throw Refusal(.tooMuchWork, "the request would write more than the maximum of \(bounds.written) bytes; send fewer actions at once")
    }
  }

  /// Counts a written value. `what` and `name` identify it in a refusal, such as "the fact" and its name. Throws `value-too-large` if the value exceeds its
  /// bound, and `too-much-work` if the request has written too many bytes.
  mutating func write(_ value: Value, as what: StaticString, _ name: String = "") throws(Refusal) {
    guard isCounting else { return }
    try writeValue(value.size, what, name)
  }

  /// Counts named values that are written together. Throws as for one value.
  mutating func write(_ values: [String: Value], as what: StaticString, _ name: String = "") throws(Refusal) {
    guard isCounting, !values.isEmpty else { return }
    try writeValue(values.size, what, name)
  }

  private mutating func writeValue(_ size: Int, _ what: StaticString, _ name: String) throws(Refusal) {
    guard size <= bounds.value else {
      let whole = name.isEmpty ? "\(what)" : "\(what) \(name)"
      throw Refusal(.valueTooLarge, "\(whole) would have about \(size) bytes; the maximum is \(bounds.value)")
    }
    try write(size)
  }

  /// Counts an effect that ran while a manual clock was advanced, and adds the consumption of the effect's own meter (`other`). Throws if a
  /// bound is exceeded.
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
