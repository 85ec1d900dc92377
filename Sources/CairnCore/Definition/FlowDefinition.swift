/// An area of navigation: one container, and handlers for steps.
public struct FlowDefinition: Hashable, Sendable {
  public var container: Container
  /// What it is born with.
  public var birth: Birth
  /// The children a `switch` may show.
  public var children: [String]
  public var handle: [String: Handler]
  /// Per step, the first replacement whose guard holds is taken.
  public var adapt: [String: [Adaptation]]
  /// Of tabs alone.
  public var tabs: TabsManner
  public var meta: Value?

  public enum Container: String, Hashable, Sendable, Codable, CaseIterable {
    case stack, tabs, split, screen
    case oneOf = "switch"
  }

  public enum Birth: Hashable, Sendable {
    case empty
    case root(Contribution)
    case tabs([Contribution])
    case split(master: [Contribution], detail: Contribution)
  }

  public init(
    container: Container, birth: Birth = .empty, children: [String] = [], handle: [String: Handler] = [:],
    adapt: [String: [Adaptation]] = [:], tabs: TabsManner = .init(), meta: Value? = nil
  ) {
    self.container = container
    self.birth = birth
    self.children = children
    self.handle = handle
    self.adapt = adapt
    self.tabs = tabs
    self.meta = meta
  }
}
