/// The steps that a node sends by itself.
public struct NodeSteps: Hashable, Sendable {
  /// Sent when the node has been popped or dismissed.
  public var removed: StepTemplate?
  /// Sent each time the user sees the node.
  public var seen: StepTemplate?
  /// Sent when the user no longer sees the node, which still exists.
  public var unseen: StepTemplate?

  public init(removed: StepTemplate? = nil, seen: StepTemplate? = nil, unseen: StepTemplate? = nil) {
    self.removed = removed
    self.seen = seen
    self.unseen = unseen
  }

  public var all: [StepTemplate] { [removed, seen, unseen].compactMap { $0 } }

  /// Whether there is no step.
  public var isEmpty: Bool { removed == nil && seen == nil && unseen == nil }

  /// Whether the node is told when the user sees it or no longer does.
  public var followsSight: Bool { seen != nil || unseen != nil }

  /// The steps, with those of a node's screen or root screen for being seen where the node has none of its own.
  public func withSight(of other: NodeSteps) -> NodeSteps {
    NodeSteps(removed: removed, seen: seen ?? other.seen, unseen: unseen ?? other.unseen)
  }

  /// The steps as `change` returns them. A step for which it returns `nil` is omitted.
  func compactMap(_ change: (StepTemplate) -> StepTemplate?) -> NodeSteps {
    NodeSteps(removed: removed.flatMap(change), seen: seen.flatMap(change), unseen: unseen.flatMap(change))
  }
}
