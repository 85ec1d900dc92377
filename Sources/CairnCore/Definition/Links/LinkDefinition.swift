/// A deep link: the URLs that it matches, and the steps that it sends.
public struct LinkDefinition: Hashable, Sendable {
  /// The hosts of `https` URLs, and of `http` URLs if `schemes` contains `http`.
  public var hosts: [String]
  /// Custom schemes. In a URL with such a scheme, the host counts as the first segment of the path. The schemes `http` and `https` refer to
  /// `hosts`.
  public var schemes: [String]
  public var path: [Segment]
  /// The query items that the link reads, by name. Other items are ignored.
  public var query: [String]
  /// The steps in order. A step without a receiver is handled as if the visible screen had sent it, even if that screen's contract does not contain
  /// the step.
  public var steps: [StepTemplate]
  /// The condition under which the link matches; `nil` if it always does. While it is false, the next link is tried.
  public var when: Guard?
  /// The condition under which the link is followed; `nil` if it is always followed. While it is false, the link is held.
  public var requires: Guard?
  /// Maximum time for which the link is held, in milliseconds.
  public var hold: WideInt

  /// The step that is sent when the link is held.
  public var otherwise: StepTemplate?

  public enum Segment: Hashable, Sendable {
    case literal(String)
    case capture(String)
    /// An optional segment at the end of the path. If this segment is missing in a URL, all following segments must be missing too.
    case optional(String)
    /// All remaining segments, possibly none. Only allowed as the last segment.
    case rest(String)
  }

  /// The prefixes of the URLs that the link matches: `https://HOST`, `http://HOST` and `SCHEME:/`. The path follows them.
  public var origins: [String] {
    let secure = hosts.map { "https://\($0)" }
    let plain = schemes.contains("http") ? hosts.map { "http://\($0)" } : []
    return secure + plain + schemes.filter { $0 != "http" && $0 != "https" }.map { "\($0):/" }
  }

  /// The path as written in a definition.
  public var pathText: String { path.isEmpty ? "/" : path.map { "/\($0.text)" }.joined() }

  /// The default of `hold`: 24 hours in milliseconds.
  public static let defaultHold: WideInt = 86_400_000

  public init(
    hosts: [String] = [], schemes: [String] = [], path: [Segment], query: [String] = [], steps: [StepTemplate], when: Guard? = nil,
    requires: Guard? = nil, hold: WideInt = LinkDefinition.defaultHold, otherwise: StepTemplate? = nil
  ) {
    self.hosts = hosts
    self.schemes = schemes
    self.path = path
    self.query = query
    self.steps = steps
    self.when = when
    self.requires = requires
    self.hold = hold
    self.otherwise = otherwise
  }
}

extension LinkDefinition.Segment {
  /// The segment as written in a definition.
  public var text: String {
    switch self {
    case .literal(let text): text
    case .capture(let name): "{\(name)}"
    case .optional(let name): "{\(name)?}"
    case .rest(let name): "{\(name)...}"
    }
  }

  /// The name of the capture; `nil` for a literal.
  public var name: String? {
    switch self {
    case .literal: nil
    case .capture(let name), .optional(let name), .rest(let name): name
    }
  }
}
