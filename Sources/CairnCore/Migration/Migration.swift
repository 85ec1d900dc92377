/// The rules by which a session moves from one definition of its app to another. A screen, flow, step or fact that the rules do not mention keeps its name.
public struct Migration: Hashable, Sendable {
  /// The rules for existing nodes of screens, by the name of the screen in the old definition.
  public var screens: [String: NodeFate]
  /// The rules for existing nodes of flows, by the name of the flow in the old definition.
  public var flows: [String: NodeFate]
  /// The rules for steps in posts, nodes and effects, by their old name.
  public var steps: [String: StepFate]
  /// The rules for facts that are renamed or dropped, by their old name.
  public var facts: [String: FactFate]
  /// The values of facts, by their new name. References read the old facts.
  public var values: [String: Expression]
  /// Whether all rules of the new definition are evaluated once.
  public var runsRules: Bool

  /// The result of the migration for a node.
  public enum NodeFate: Hashable, Sendable {
    /// The node is kept, with its id, under this name. The expressions are values of its params, and of a flow's facts, by their new names.
    /// `$name` reads an old param, and `$fact.name` an old fact. Other params and facts are kept if the new definition has them.
    case keep(as: String, params: [String: Expression], facts: [String: Expression] = [:])
    /// The node is replaced by a new one. Its params are evaluated like those of `keep`.
    case replace(Contribution.Target, with: [String: Expression])
    /// All nodes above the nearest node of this screen are removed. The screen is named as in the new definition.
    case popTo(screen: String)
    /// The node is removed with its descendants and modals.
    case remove
  }

  /// The result of the migration for a step.
  public enum StepFate: Hashable, Sendable {
    /// The step has this name. The expressions are values of its params by their new names; `$name` reads an old param. Other params are kept if the
    /// new definition has them.
    case keep(as: String, params: [String: Expression])
    /// The step is not sent, and a post of it is refused.
    case remove
  }

  /// The result of the migration for a fact's value.
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
