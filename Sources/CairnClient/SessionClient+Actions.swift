public import CairnCore

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
