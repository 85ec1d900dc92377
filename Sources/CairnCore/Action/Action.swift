/// An action as stored in the journal and processed by the reducer. It contains no secret, only whether there is a token or a code.
public enum Action: Hashable, Sendable {
  case step(Step, from: NodeID?)
  case pop(count: Int, node: NodeID?)
  case popTo(Destination)
  case popToRoot
  /// The back button or gesture of a system: pops, otherwise dismisses, otherwise follows the tabs' back behaviour, otherwise changes nothing.
  case back
  case dismiss(node: NodeID?)
  case select(Selection, node: NodeID?)
  case push(Route)
  case present(Route, style: PresentationStyle, node: NodeID?, replace: Bool)
  case set([Route])
  case remove(node: NodeID)
  /// A code from the OAuth redirect, or from an operator, who needs no state.
  case login(hasCode: Bool, state: String?, error: String?, byOperator: Bool)
  case logout
  /// Discards a held link.
  case cancel(link: LinkID)
  case token
  /// The client reports whether its app is in the foreground.
  case appState(Activity)
  case facts([String: Value])
  case open(url: String)
  case notification(url: String?, category: String?, tap: Bool, appState: AppState, Message = Message())
  /// Advances the clock of a session with a manual clock to a time in milliseconds since 1970.
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

  /// The end of an effect.
  public enum Completion: Hashable, Sendable {
    /// The n-th tick of a timer (from 1), or the end of a known value's delay.
    case due(tick: WideInt)
    /// A request returned this value.
    case loaded(Value)
    /// A request or the token call failed. The reason is a stable word, followed by a text.
    case failed(String)
    /// The token call returned a token.
    case exchanged
    /// The consequences exceeded a bound, so the effect ends without any. The reason is the refusal's code.
    case abandoned(String)
  }

  /// The activity of an app as its system reports it: visible and in use, visible and not in use, or not visible.
  public enum Activity: String, Hashable, Sendable, CaseIterable {
    case foreground, inactive, background
  }

  public enum AppState: String, Hashable, Sendable, CaseIterable {
    case foreground, background, killed
  }

  /// A screen and its params, as a primitive action names it.
  public struct Route: Hashable, Sendable {
    public var screen: String
    public var params: [String: Value]

    public init(_ screen: String, params: [String: Value] = [:]) {
      self.screen = screen
      self.params = params
    }
  }
}
