/// An action as the journal stores it and the reducer reads it. It contains no secrets; a login, for example, contains only whether there was a code.
public enum Action: Hashable, Sendable {
  case step(Step, from: NodeID?)
  /// `from` is the node that was visible when the user acted. If it is `nil`, the gesture acts on the screen that is visible when the action arrives.
  case gesture(Gesture, from: NodeID?)
  case push(Route)
  case present(Route, style: PresentationStyle, node: NodeID?, replace: Bool)
  case set([Route])
  case remove(node: NodeID)
  /// Sends an unfinished message at once: a message of an imported session, or a message that waits for its next attempt.
  case retry(key: String)
  /// The result of a login: a code or an error of the OAuth redirect, or a code from an operator. Operators may omit the state.
  case login(hasCode: Bool, state: String?, error: String?, byOperator: Bool)
  case logout
  /// Drops a held link.
  case cancel(link: LinkID)
  /// Ends a question without performing its action.
  case cancelQuestion(QuestionID)
  /// A client's report that it has sent all earlier actions of its user.
  case contact
  #if !CLIENT_ENGINE
    /// Drops a held action.
    case cancelHeld(HeldID)
    /// An action that is held until all clients have sent the earlier actions of their users.
    indirect case settled(Action)
  #endif
  case token
  /// The state of the app as its client reports it.
  case appState(Activity)
  case facts([String: Value])
  case open(url: String)
  /// A tick of a timer, posted by a client. The client ran the timer itself while the action that starts the timer waited for the network.
  /// The timer belongs to `node` and sends the step `send`. An empty `send` means the timer that closes an overlay. Ticks are counted from
  /// 1.
  case tick(node: NodeID, send: String, tick: WideInt)
  case notification(url: String?, category: String?, tap: Bool, appState: AppState, Message = Message())
  /// Advances a manual clock to this time, in milliseconds since 1970.
  case advance(to: WideInt)
  /// The end of an effect, or a tick of a timer.
  case effect(id: Effect.ID, Completion)

  public enum Destination: Hashable, Sendable {
    case screen(String)
    case node(NodeID)
  }

  public enum Selection: Hashable, Sendable {
    case tab(Int)
    case flow(String)
  }

  /// The end of an effect, or one tick of a timer.
  public enum Completion: Hashable, Sendable {
    /// The n-th tick of a timer, counted from 1, or the end of the delay of a load without a request.
    case due(tick: WideInt)
    /// The value that a request returned.
    case loaded(Value)
    /// A request or token exchange failed. The reason is a stable word, optionally followed by a colon and a text.
    case failed(String)
    /// The token exchange returned a token.
    case exchanged
    /// A load with `bearer` needs a fresh token: the session's token has expired, or a response rejected it. The load continues after the refresh.
    case tokenExpired
    /// The action that would have ended the effect exceeded a bound, so the effect ends without the consequences of that action. The reason is the refusal's
    /// code.
    case abandoned(String)
  }

  /// The state of an app as reported by its system: in use, visible but not in use, or invisible.
  public enum Activity: String, Hashable, Sendable, CaseIterable {
    case foreground, inactive, background
  }

  public enum AppState: String, Hashable, Sendable, CaseIterable {
    case foreground, background, killed
  }

  /// A screen with its params, for the actions `push`, `present` and `set`.
  public struct Route: Hashable, Sendable {
    public var screen: String
    public var params: [String: Value]

    public init(_ screen: String, params: [String: Value] = [:]) {
      self.screen = screen
      self.params = params
    }
  }
}
