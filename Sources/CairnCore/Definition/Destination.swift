extension Operation {
  /// The receiver of a step, relative to the flow that sends it.
  public enum Destination: RawRepresentable, Hashable, Sendable {
    /// The parent of the sending flow.
    case parent
    /// The sending flow.
    case current
    case root
    /// Every existing flow, parents first (RxFlow's broadcast). A flow that does not handle the step does not pass it to its parent.
    case all
    /// The nearest flow of this name: the sending flow, then its parent flows from the inside out, then the frontmost flow of the tree.
    case flow(String)

    /// The reserved words. A flow whose name is a reserved word cannot be addressed by its name.
    public static let words: [Destination] = [.parent, .current, .root, .all]

    /// Parses the spelling in a definition: a reserved word, or the name of a flow.
    public init(rawValue: String) {
      self = Destination.words.first { $0.rawValue.isExactly(rawValue) } ?? .flow(rawValue)
    }

    public var rawValue: String {
      switch self {
      case .parent: "parent"
      case .current: "current"
      case .root: "root"
      case .all: "all"
      case .flow(let name): name
      }
    }
  }
}
