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

// A method for each action of `SessionAction`.
extension SessionClient {
  /// Sends a step. `from`: the screen that sends it; `nil`: the screen that is visible at the call, as far as this client's responses have
  /// shown it. If that screen is covered or dismissed when the step arrives, as after the first tap of a double tap, the step does nothing:
  /// the outcome is `unchanged` with the reason `hidden` or `dismissed`.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    guard from == nil, let visible = seen.node else { return try await act(.step(name, params, from: from)) }
    return try await step(name, params, visibleAtCall: visible)
  }

  /// Sends a step from the screen that was visible when the event occurred. The outcome is `unchanged` if that screen has since been
  /// covered or dismissed.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], visibleAtCall node: NodeID) async throws(ClientError) -> ActionAnswer {
    do throws(ClientError) {
      return try await act(.step(name, params, from: node))
    } catch {
      guard let answer = error.problem.flatMap(ActionAnswer.init(late:)) else { throw error }
      return answer
    }
  }

  /// Takes so many off the stack in front.
  @discardableResult
  public func pop(_ count: Int = 1) async throws(ClientError) -> ActionAnswer { try await act(.pop(count)) }

  /// Takes off what stands above the nearest screen of this name.
  @discardableResult
  public func popTo(_ screen: String) async throws(ClientError) -> ActionAnswer { try await act(.popTo(screen)) }

  /// Takes off all but the first.
  @discardableResult
  public func popToRoot() async throws(ClientError) -> ActionAnswer { try await act(.popToRoot) }

  /// Goes back, as a phone's back button does.
  @discardableResult
  public func back() async throws(ClientError) -> ActionAnswer { try await act(.back) }

  /// Closes the modal in front, or this one.
  @discardableResult
  public func dismiss(_ node: NodeID? = nil) async throws(ClientError) -> ActionAnswer { try await act(.dismiss(node)) }

  /// A tap on a tab, from 0.
  @discardableResult
  public func select(tab: Int, in node: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await act(.select(tab: tab, in: node))
  }

  /// A tap on the tab that this flow is.
  @discardableResult
  public func select(flow: String, in node: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await act(.select(flow: flow, in: node))
  }

  /// A code from the provider, to be exchanged.
  @discardableResult
  public func login(code: String, state: String? = nil) async throws(ClientError) -> ActionAnswer {
    try await act(.login(code: code, state: state))
  }

  /// An access token that the app has.
  @discardableResult
  public func token(_ accessToken: String) async throws(ClientError) -> ActionAnswer { try await act(.token(accessToken)) }

  /// The access token goes.
  @discardableResult
  public func logout() async throws(ClientError) -> ActionAnswer { try await act(.logout) }

  /// Where the app is now.
  @discardableResult
  public func appState(_ state: Action.Activity) async throws(ClientError) -> ActionAnswer { try await act(.appState(state)) }

  /// Sets facts that are the client's to set.
  @discardableResult
  public func facts(_ facts: [String: Value]) async throws(ClientError) -> ActionAnswer { try await act(.facts(facts)) }

  /// A manual clock goes on.
  @discardableResult
  public func advance(by time: Duration) async throws(ClientError) -> ActionAnswer { try await act(.advance(by: time)) }

  /// Lets a held link go.
  @discardableResult
  public func cancel(_ link: LinkID) async throws(ClientError) -> ActionAnswer { try await act(.cancel(link)) }

  /// Ends a request that is answered by hand.
  @discardableResult
  public func answer(_ end: SessionAction.RequestEnd, effect: Int? = nil) async throws(ClientError) -> ActionAnswer {
    try await act(.answer(end, effect: effect))
  }
}
