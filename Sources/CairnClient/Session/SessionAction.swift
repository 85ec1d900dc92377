public import CairnCore

/// An action to be posted to a session.
public struct SessionAction: Sendable, Hashable {
  /// The body of the post.
  public var json: Value

  /// Creates an action from its JSON.
  public init(_ json: Value) { self.json = json }

  private init(_ type: String, _ members: [String: Value?] = [:]) {
    json = .object(members.compactMapValues(\.self).merging(["type": .string(type)]) { _, type in type })
  }

  /// A step. `from` is the screen that sends the step; if `from` is `nil`, the visible screen sends the step.
  public static func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil) -> SessionAction {
    var members: [String: Value] = ["step": .string(name)]
    if !params.isEmpty { members["params"] = .object(params) }
    if let from { members["from"] = .string(from.description) }
    return SessionAction(.object(members))
  }

  /// The action with `deliver: settled`. The service holds it until each client has sent the earlier actions of its user, but at most for the app's
  /// `offlineFor`. Requires an operator's key.
  public var settled: SessionAction {
    var action = self
    action.json.set("settled", at: ["deliver"])
    return action
  }

  /// The action as a gesture of a user who saw this node: if the node is no longer visible when the gesture arrives, the gesture is
  /// refused. Returns the action unchanged if `node` is `nil`, if the action is not a gesture, or if it already names the node that the
  /// user saw.
  public func from(_ node: NodeID?) -> SessionAction {
    guard let node, isGesture, case .object(var members) = json, members["from"] == nil else { return self }
    members["from"] = .string(node.description)
    return SessionAction(.object(members))
  }

  /// Whether the action is a gesture, which acts on the visible nodes.
  var isGesture: Bool {
    guard case .string(let type)? = json["type"], let kind = Action.Kind(word: type) else { return false }
    return kind.isGesture
  }

  /// Pops this number of screens off the stack in front.
  public static func pop(_ count: Int = 1) -> SessionAction { SessionAction("pop", ["count": count == 1 ? nil : .integer(count)]) }

  /// Pops a node and all nodes above it off their stack.
  public static func pop(_ node: NodeID) -> SessionAction { SessionAction("pop", ["node": .string(node.description)]) }

  /// Pops all nodes above the nearest screen with this name.
  public static func popTo(_ screen: String) -> SessionAction { SessionAction("popTo", ["screen": .string(screen)]) }

  /// Pops all nodes above a node.
  public static func popTo(_ node: NodeID) -> SessionAction { SessionAction("popTo", ["node": .string(node.description)]) }

  /// Pops all nodes except the first one of the stack.
  public static var popToRoot: SessionAction { SessionAction("popToRoot") }

  /// A phone's back button: pops, otherwise dismisses, otherwise follows the tabs' back behaviour.
  public static var back: SessionAction { SessionAction("back") }

  /// Closes the given modal, or the one in front.
  public static func dismiss(_ node: NodeID? = nil) -> SessionAction {
    SessionAction("dismiss", ["node": node.map { .string($0.description) }])
  }

  /// A tap on a tab. `tab` is its index from 0. `node` is the tabs' node; if `node` is `nil`, the nearest tabs are used.
  public static func select(tab: Int, in node: NodeID? = nil) -> SessionAction {
    SessionAction("select", ["tab": .integer(tab), "node": node.map { .string($0.description) }])
  }

  /// A tap on the tab that contains this flow.
  public static func select(flow: String, in node: NodeID? = nil) -> SessionAction {
    SessionAction("select", ["flow": .string(flow), "node": node.map { .string($0.description) }])
  }

  /// Exchanges the provider's code for a token. `state` is the `state` of the redirect; an operator may omit it.
  public static func login(code: String, state: String? = nil) -> SessionAction {
    SessionAction("login", ["code": .string(code), "state": state.map(Value.string)])
  }

  /// Sets an access token that the app already has.
  public static func token(_ accessToken: String) -> SessionAction { SessionAction("token", ["accessToken": .string(accessToken)]) }

  /// Deletes the access token.
  public static var logout: SessionAction { SessionAction("logout") }

  /// Reports the state of the app, such as foreground or background.
  public static func appState(_ state: Action.Activity) -> SessionAction { SessionAction("appState", ["state": .string(state.rawValue)]) }

  /// Sets facts. A session's client may set only the facts that the definition declares with `by: client`; an operator may set any fact.
  public static func facts(_ facts: [String: Value]) -> SessionAction { SessionAction("facts", ["set": .object(facts)]) }

  /// Advances a manual clock.
  public static func advance(by time: Duration) -> SessionAction {
    let (seconds, attoseconds) = time.components
    return SessionAction("advance", ["by": .string("\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms")])
  }

  /// Drops a held link.
  public static func cancel(_ link: LinkID) -> SessionAction { SessionAction("cancel", ["link": .string(link.description)]) }

  /// Ends a question without performing the action that waits for its answer.
  public static func cancel(_ question: QuestionID) -> SessionAction {
    SessionAction("cancel", ["question": .string(question.description)])
  }

  /// Reports that the client has sent all actions of its user. Has no effect if the action is posted without a number.
  public static var contact: SessionAction { SessionAction("contact") }

  /// Performs a tick of a node's timer, which the client runs itself. `send` is the step that the timer sends; empty if the timer ends an
  /// overlay.
  static func tick(_ node: NodeID, send: String) -> SessionAction {
    SessionAction("tick", ["node": .string(node.description), "send": send.isEmpty ? nil : .string(send)])
  }

  /// Drops a held action. Requires an operator's key.
  public static func cancel(_ held: HeldID) -> SessionAction { SessionAction("cancel", ["held": .string(held.description)]) }

  /// Sends a message of an imported session, or attempts a message again before its next attempt is due. Requires an operator's key. `key` is
  /// the key of the message, as listed in `pending`.
  public static func retry(_ key: String) -> SessionAction { SessionAction("retry", ["key": .string(key)]) }

  /// Completes a request of a session with manual requests. `effect` is the number of the request's effect; if `effect` is `nil`, the
  /// oldest request is completed.
  public static func answer(_ end: RequestEnd, effect: Int? = nil) -> SessionAction {
    SessionAction("answer", [end.member.name: end.member.value, "effect": effect.map(Value.integer)])
  }

  /// The result of a manual request. The caller provides it, because the service does not send the request.
  public enum RequestEnd: Sendable, Hashable {
    /// A load returned this value.
    case loaded(Value)
    /// A load failed for this reason.
    case failed(String)
    /// The token exchange returned this token.
    case exchanged(String)
    /// The token exchange failed for this reason.
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

// Methods that create and post the actions of `SessionAction`.
extension SessionClient {
  /// Sends a step from a screen. `from` is this screen's node; by default, the screen that was visible at the call, according to the newest
  /// response to this client. If the default screen is covered or dismissed when the step arrives, the step has no effect: the outcome is
  /// `unchanged` with the reason `hidden` or `dismissed`. This happens, for example, at the second tap of a double tap. With `from`, such a
  /// step is refused.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    let visible = seen.node
    return try await act(.step(name, params, from: from ?? visible), isStaleAnswered: from == nil && visible != nil)
  }

  /// Sends a step from `node`, the screen that was visible when the user acted. If that screen has since been covered or dismissed, the
  /// step has no effect: the outcome is `unchanged` with the reason `hidden` or `dismissed`.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], visibleAtCall node: NodeID) async throws(ClientError) -> ActionAnswer {
    try await act(.step(name, params, from: node), isStaleAnswered: true)
  }

  /// Posts a gesture that the user made on the screen `from`; by default, the screen that was visible at the call, according to the newest
  /// response to this client. If the default screen is covered or dismissed when the gesture arrives, the gesture has no effect: the
  /// outcome is `unchanged` with the reason `hidden` or `dismissed`. This happens, for example, at the second tap of a double tap. With
  /// `from`, such a gesture is refused.
  private func gesture(_ action: SessionAction, from: NodeID?) async throws(ClientError) -> ActionAnswer {
    let visible = seen.screen
    return try await act(action.from(from ?? visible), isStaleAnswered: from == nil && visible != nil)
  }

  /// Sends an action. If `isStaleAnswered` is set and the action is refused because its node is no longer visible, returns the outcome `unchanged` instead of
  /// throwing.
  private func act(_ action: SessionAction, isStaleAnswered: Bool) async throws(ClientError) -> ActionAnswer {
    do throws(ClientError) {
      return try await act(action)
    } catch {
      guard isStaleAnswered, let answer = error.problem.flatMap(ActionAnswer.init(late:)) else { throw error }
      return answer
    }
  }

  /// Pops this number of screens off the stack in front. `from` is the node that the user saw; by default, the visible screen. If the
  /// default screen is no longer visible when the gesture arrives, the outcome is `unchanged`; with `from`, such a gesture is refused. The
  /// following gestures have the same parameter `from`.
  @discardableResult
  public func pop(_ count: Int = 1, from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await gesture(.pop(count), from: from)
  }

  /// Pops all nodes above the nearest screen with this name.
  @discardableResult
  public func popTo(_ screen: String, from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await gesture(.popTo(screen), from: from)
  }

  /// Pops all nodes except the first one of the stack.
  @discardableResult
  public func popToRoot(from: NodeID? = nil) async throws(ClientError) -> ActionAnswer { try await gesture(.popToRoot, from: from) }

  /// Goes back, as a phone's back button does.
  @discardableResult
  public func back(from: NodeID? = nil) async throws(ClientError) -> ActionAnswer { try await gesture(.back, from: from) }

  /// Closes the given modal, or the one in front.
  @discardableResult
  public func dismiss(_ node: NodeID? = nil, from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await gesture(.dismiss(node), from: from)
  }

  /// Taps a tab. `tab` is its index from 0. `node` is the tabs' node; if `node` is `nil`, the nearest tabs are used.
  @discardableResult
  public func select(tab: Int, in node: NodeID? = nil, from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await gesture(.select(tab: tab, in: node), from: from)
  }

  /// Taps the tab that contains this flow.
  @discardableResult
  public func select(flow: String, in node: NodeID? = nil, from: NodeID? = nil) async throws(ClientError) -> ActionAnswer {
    try await gesture(.select(flow: flow, in: node), from: from)
  }

  /// Exchanges the provider's code for a token. `state` is the `state` of the redirect; an operator may omit it.
  @discardableResult
  public func login(code: String, state: String? = nil) async throws(ClientError) -> ActionAnswer {
    try await act(.login(code: code, state: state))
  }

  /// Sets an access token that the app already has.
  @discardableResult
  public func token(_ accessToken: String) async throws(ClientError) -> ActionAnswer { try await act(.token(accessToken)) }

  /// Deletes the access token.
  @discardableResult
  public func logout() async throws(ClientError) -> ActionAnswer { try await act(.logout) }

  /// Reports the state of the app, such as foreground or background.
  @discardableResult
  public func appState(_ state: Action.Activity) async throws(ClientError) -> ActionAnswer { try await act(.appState(state)) }

  /// Sets facts that the session's client may set.
  @discardableResult
  public func facts(_ facts: [String: Value]) async throws(ClientError) -> ActionAnswer { try await act(.facts(facts)) }

  /// Advances a manual clock.
  @discardableResult
  public func advance(by time: Duration) async throws(ClientError) -> ActionAnswer { try await act(.advance(by: time)) }

  /// Drops a held link. To end a question, use `act(.cancel(question))`.
  @discardableResult
  public func cancel(_ link: LinkID) async throws(ClientError) -> ActionAnswer { try await act(.cancel(link)) }

  /// Completes a request of a session with manual requests.
  @discardableResult
  public func answer(_ end: SessionAction.RequestEnd, effect: Int? = nil) async throws(ClientError) -> ActionAnswer {
    try await act(.answer(end, effect: effect))
  }
}
