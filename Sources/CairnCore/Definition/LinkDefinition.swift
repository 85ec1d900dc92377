/// A deep link: which URLs it takes, and the steps it becomes.
public struct LinkDefinition: Hashable, Sendable {
  /// Hosts of `https` URLs, and of `http` ones if `schemes` has that.
  public var hosts: [String]
  /// Custom schemes; for these host + path is the path. `http` and `https` are about `hosts`.
  public var schemes: [String]
  public var path: [Segment]
  /// Query items that it reads, by name; the others are passed over.
  public var query: [String]
  /// The steps, in order. A step without a receiver counts as sent by the visible screen, regardless of contract and gate.
  public var steps: [StepTemplate]
  /// While it does not hold the link is held as pending.
  public var requires: Guard?
  /// Milliseconds that it is held at most.
  public var hold: WideInt

  /// The step that is sent when the link is held.
  public var otherwise: StepTemplate?

  public enum Segment: Hashable, Sendable {
    case literal(String)
    case capture(String)
    /// An optional segment; everything behind it is then missing too. Only at the end.
    case optional(String)
    /// All that is left, nothing included: the last.
    case rest(String)
  }

  /// The starts of the URLs that it takes: `https://HOST`, `http://HOST` and `SCHEME:/`, with a path behind them.
  public var origins: [String] {
    let secure = hosts.map { "https://\($0)" }
    let plain = schemes.contains("http") ? hosts.map { "http://\($0)" } : []
    return secure + plain + schemes.filter { $0 != "http" && $0 != "https" }.map { "\($0):/" }
  }

  /// The path as a file writes it.
  public var pathText: String { path.isEmpty ? "/" : path.map { "/\($0.text)" }.joined() }

  /// 24 hours.
  public static let defaultHold: WideInt = 86_400_000

  public init(
    hosts: [String] = [], schemes: [String] = [], path: [Segment], query: [String] = [], steps: [StepTemplate],
    requires: Guard? = nil, hold: WideInt = LinkDefinition.defaultHold, otherwise: StepTemplate? = nil
  ) {
    self.hosts = hosts
    self.schemes = schemes
    self.path = path
    self.query = query
    self.steps = steps
    self.requires = requires
    self.hold = hold
    self.otherwise = otherwise
  }
}

extension LinkDefinition.Segment {
  /// The spelling in a file.
  public var text: String {
    switch self {
    case .literal(let text): text
    case .capture(let name): "{\(name)}"
    case .optional(let name): "{\(name)?}"
    case .rest(let name): "{\(name)...}"
    }
  }

  /// The name of its capture; `nil`: it captures nothing.
  public var name: String? {
    switch self {
    case .literal: nil
    case .capture(let name), .optional(let name), .rest(let name): name
    }
  }
}
