extension Operation {
  /// The receiver of a step, relative to the flow that sends it.
  public enum Destination: RawRepresentable, Hashable, Sendable {
    /// The parent flow.
    case parent
    /// The sending flow itself.
    case current
    case root
    /// Every flow that has not ended, parents first (RxFlow's broadcast). None of them passes the step on.
    case all
    /// The nearest flow of this name: the sender itself, its ancestors from inside to outside, then the other flows from the root, front ones first.
    case flow(String)

    /// The reserved words. A flow with such a name cannot be addressed by it.
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
