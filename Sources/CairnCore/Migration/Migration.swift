/// What becomes of a session that moves from one definition of its app to another. A part that is not named here keeps its name.
public struct Migration: Hashable, Sendable {
  /// The fates of open nodes, by the name of their screen in the old definition.
  public var screens: [String: NodeFate]
  /// The fates of open nodes, by the name of their flow in the old definition.
  public var flows: [String: NodeFate]
  /// The fates of steps in posts, nodes and effects, by their old name.
  public var steps: [String: StepFate]
  /// The facts with another name, by their old name. A fact without a new name is dropped.
  public var facts: [String: FactFate]
  /// The values of facts, by their new name. References read the old facts.
  public var values: [String: Expression]
  /// Whether all rules of the new definition are evaluated once.
  public var runsRules: Bool

  /// What becomes of a node.
  public enum NodeFate: Hashable, Sendable {
    /// The node stays, with its id, under this name. The expressions are values of its params by their new names; `$name` reads an old param. Other
    /// params are kept if the new definition has them.
    case keep(as: String, params: [String: Expression])
    /// A new node takes its place. Its params are evaluated like those of `keep`.
    case replace(Contribution.Target, with: [String: Expression])
    /// Everything above the nearest node of this screen is removed. The name is that of the new definition.
    case popTo(screen: String)
    /// The node is removed with everything below it.
    case remove
  }

  /// What becomes of a step.
  public enum StepFate: Hashable, Sendable {
    /// The step has this name. The expressions are values of its params by their new names; `$name` reads an old param. Other params are kept if the
    /// new definition has them.
    case keep(as: String, params: [String: Expression])
    /// The step is not sent, and a post of it is refused.
    case remove
  }

  /// What becomes of a fact's value.
  public enum FactFate: Hashable, Sendable {
    case keep(as: String)
    case remove
  }

  public init(
    screens: [String: NodeFate] = [:], flows: [String: NodeFate] = [:], steps: [String: StepFate] = [:], facts: [String: FactFate] = [:],
    values: [String: Expression] = [:], runsRules: Bool = false
  ) {
    self.screens = screens
    self.flows = flows
    self.steps = steps
    self.facts = facts
    self.values = values
    self.runsRules = runsRules
  }
}

/// The reason why a session cannot move to another definition, or why a post for an old definition has no equivalent.
public struct MigrationObstacle: Error, Hashable, Sendable {
  /// A sentence without a full stop.
  public var reason: String

  public init(_ reason: String) { self.reason = reason.bounded }
}
