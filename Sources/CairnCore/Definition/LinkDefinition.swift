/// A deep link: which URLs it takes, and the steps it becomes.
public struct LinkDefinition: Hashable, Sendable {
  /// Hosts of `https` URLs, and of `http` ones if `schemes` has that.
  public var hosts: [String]
  /// Custom schemes; for these host + path is the path. `http` and `https` are about `hosts`.
  public var schemes: [String]
  public var path: [Segment]
  /// Query items that it reads, by name; the others are passed over.
  public var query: [String]
  /// In order. One that says nothing of who gets it is a step of the visible screen, contract and gate aside.
  public var steps: [StepTemplate]
  /// While it does not hold the link is held as pending.
  public var requires: Guard?
  /// Milliseconds that it is held at most.
  public var hold: Int

  public enum Segment: Hashable, Sendable {
    case literal(String)
    case capture(String)
  }

  /// The starts of the URLs that it takes: `https://HOST`, `http://HOST` and `SCHEME:/`, with a path behind them.
  public var origins: [String] {
    let secure = hosts.map { "https://\($0)" }
    let plain = schemes.contains("http") ? hosts.map { "http://\($0)" } : []
    return secure + plain + schemes.filter { $0 != "http" && $0 != "https" }.map { "\($0):/" }
  }

  /// 24 hours.
  public static let defaultHold = 86_400_000

  public init(
    hosts: [String] = [], schemes: [String] = [], path: [Segment], query: [String] = [], steps: [StepTemplate],
    requires: Guard? = nil, hold: Int = LinkDefinition.defaultHold
  ) {
    self.hosts = hosts
    self.schemes = schemes
    self.path = path
    self.query = query
    self.steps = steps
    self.requires = requires
    self.hold = hold
  }
}
