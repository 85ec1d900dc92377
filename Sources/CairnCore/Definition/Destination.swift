extension Operation {
  /// Who gets a step that is sent, seen from the flow that sends it.
  public enum Destination: RawRepresentable, Hashable, Sendable {
    /// The flow above it.
    case parent
    /// It itself.
    case current
    case root
    /// Every living flow, parent first (RxFlow's broadcast); none passes it on.
    case all
    /// The flow of this name that is nearest: it itself, those above it outwards, then from the root, what is in front first.
    case flow(String)

    /// The reserved words; a flow with such a name cannot be reached by it.
    public static let words: [Destination] = [.parent, .current, .root, .all]

    /// The spelling in a definition.
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
