public import CairnCore

/// Something that is posted to a session.
public struct SessionAction: Sendable, Hashable {
  /// The body of the post.
  public var json: Value

  /// An action from its JSON.
  public init(_ json: Value) { self.json = json }

  private init(_ type: String, _ members: [String: Value?] = [:]) {
    json = .object(members.compactMapValues(\.self).merging(["type": .string(type)]) { _, type in type })
  }

  /// A step. `from`: the screen that sends it; `nil`: the visible one.
  public static func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil) -> SessionAction {
    var members: [String: Value] = ["step": .string(name)]
    if !params.isEmpty { members["params"] = .object(params) }
    if let from { members["from"] = .string(from.description) }
    return SessionAction(.object(members))
  }

  /// Takes so many off the stack in front.
  public static func pop(_ count: Int = 1) -> SessionAction { SessionAction("pop", ["count": count == 1 ? nil : .integer(count)]) }

  /// Takes a node and all above it off its stack.
  public static func pop(_ node: NodeID) -> SessionAction { SessionAction("pop", ["node": .string(node.description)]) }

  /// Takes off what stands above the nearest screen of this name.
  public static func popTo(_ screen: String) -> SessionAction { SessionAction("popTo", ["screen": .string(screen)]) }

  /// Takes off what stands above a node.
  public static func popTo(_ node: NodeID) -> SessionAction { SessionAction("popTo", ["node": .string(node.description)]) }

  /// Takes off all but the first.
  public static var popToRoot: SessionAction { SessionAction("popToRoot") }

  /// A phone's back button: pops, otherwise dismisses, otherwise follows the tabs' back behaviour.
  public static var back: SessionAction { SessionAction("back") }

  /// Closes the modal in front, or this one.
  public static func dismiss(_ node: NodeID? = nil) -> SessionAction {
    SessionAction("dismiss", ["node": node.map { .string($0.description) }])
  }

  /// A tap on a tab, from 0; `node`: the tabs that are meant; nil: the nearest.
  public static func select(tab: Int, in node: NodeID? = nil) -> SessionAction {
    SessionAction("select", ["tab": .integer(tab), "node": node.map { .string($0.description) }])
  }

  /// A tap on the tab that this flow is.
  public static func select(flow: String, in node: NodeID? = nil) -> SessionAction {
    SessionAction("select", ["flow": .string(flow), "node": node.map { .string($0.description) }])
  }

  /// A code from the provider, to be exchanged. `state`: as the redirect has it; the operator needs none.
  public static func login(code: String, state: String? = nil) -> SessionAction {
    SessionAction("login", ["code": .string(code), "state": state.map(Value.string)])
  }

  /// An access token that the app has.
  public static func token(_ accessToken: String) -> SessionAction { SessionAction("token", ["accessToken": .string(accessToken)]) }

  /// The access token goes.
  public static var logout: SessionAction { SessionAction("logout") }

  /// Where the app is now.
  public static func appState(_ state: Action.Activity) -> SessionAction { SessionAction("appState", ["state": .string(state.rawValue)]) }

  /// Facts that the session's client may set; the operator may set any.
  public static func facts(_ facts: [String: Value]) -> SessionAction { SessionAction("facts", ["set": .object(facts)]) }

  /// A manual clock goes on.
  public static func advance(by time: Duration) -> SessionAction {
    let (seconds, attoseconds) = time.components
    return SessionAction("advance", ["by": .string("\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms")])
  }

  /// Lets a held link go.
  public static func cancel(_ link: LinkID) -> SessionAction { SessionAction("cancel", ["link": .string(link.description)]) }

  /// Ends a request of a session whose requests are answered by hand; `effect`: which one; nil: the oldest.
  public static func answer(_ end: RequestEnd, effect: Int? = nil) -> SessionAction {
    SessionAction("answer", [end.member.name: end.member.value, "effect": effect.map(Value.integer)])
  }

  /// The end of a request that the service does not send.
  public enum RequestEnd: Sendable, Hashable {
    /// A load brought this.
    case loaded(Value)
    /// A load failed, with this reason.
    case failed(String)
    /// The token call brought this token.
    case exchanged(String)
    /// The token call failed, with this reason.
    case exchangeFailed(String)

    fileprivate var member: (name: String, value: Value) {
      switch self {
      case .loaded(let value): ("loaded", value)
      case .failed(let reason): ("failed", .string(reason))
      case .exchanged(let token): ("exchanged", .string(token))
      case .exchangeFailed(let reason): ("exchangeFailed", .string(reason))
      }
    }
  }
}
