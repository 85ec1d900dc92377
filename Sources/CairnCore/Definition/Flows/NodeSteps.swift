/// The steps that a node sends without a user's action.
public struct NodeSteps: Hashable, Sendable {
  private enum Occasion: UInt8, Hashable, Sendable { case removed, seen, unseen }

  private struct Entry: Hashable, Sendable {
    var occasion: Occasion
    var step: StepTemplate
  }

  /// The entries, sorted by occasion. They are in an array because few nodes have such steps, and an empty array takes only the size of a
  /// pointer.
  private var entries: [Entry] = []

  public init(removed: StepTemplate? = nil, seen: StepTemplate? = nil, unseen: StepTemplate? = nil) {
    self.removed = removed
    self.seen = seen
    self.unseen = unseen
  }

  /// Sent when the node has been popped or dismissed.
  public var removed: StepTemplate? {
    get { step(.removed) }
    set { set(.removed, newValue) }
  }

  /// Sent each time the user begins to see the node.
  public var seen: StepTemplate? {
    get { step(.seen) }
    set { set(.seen, newValue) }
  }

  /// Sent when the user no longer sees the node, which still exists.
  public var unseen: StepTemplate? {
    get { step(.unseen) }
    set { set(.unseen, newValue) }
  }

  private func step(_ occasion: Occasion) -> StepTemplate? {
    for entry in entries where entry.occasion == occasion { return entry.step }
    return nil
  }

  private mutating func set(_ occasion: Occasion, _ step: StepTemplate?) {
    var place = 0
    while place < entries.count, entries[place].occasion.rawValue < occasion.rawValue { place += 1 }
    if place < entries.count, entries[place].occasion == occasion { entries.remove(at: place) }
    if let step { entries.insert(Entry(occasion: occasion, step: step), at: place) }
  }

  public var all: [StepTemplate] { entries.map { $0.step } }

  /// Whether there is no step.
  public var isEmpty: Bool { entries.isEmpty }

  /// Whether the node sends a step when the user sees it or no longer sees it.
  public var followsSight: Bool {
    for entry in entries where entry.occasion != .removed { return true }
    return false
  }

  /// The steps of the node. If it has no `seen` or `unseen` step of its own, the step of its screen or root screen is added.
  public func withSight(of other: NodeSteps) -> NodeSteps {
    var steps = self
    for entry in other.entries where entry.occasion != .removed && step(entry.occasion) == nil { steps.set(entry.occasion, entry.step) }
    return steps
  }

  /// The steps, each replaced by the result of `change`. A step is omitted if the result is `nil`.
  func compactMap(_ change: (StepTemplate) -> StepTemplate?) -> NodeSteps {
    var steps = NodeSteps()
    for entry in entries { steps.set(entry.occasion, change(entry.step)) }
    return steps
  }
}

extension Definition {
  /// Whether any node that the definition creates sends a step when the user sees it or no longer sees it.
  var followsSight: Bool {
    root.steps.followsSight || screens.values.contains { $0.steps.followsSight }
      || flows.values.contains { flow in flow.makes.contains { $0.contribution.steps.followsSight } }
  }

  /// The steps that a new node sends without a user's action. A step that the contribution omits is taken from the screen.
  package func steps(of contribution: Contribution) -> NodeSteps {
    contribution.steps.withSight(of: contribution.screen.flatMap { screens[$0]?.steps } ?? NodeSteps())
  }
}
