/// An action as the journal keeps it and the reducer reads it. It holds no secret: only whether there is a token or a code.
public enum Action: Hashable, Sendable {
  case step(Step, from: NodeID?)
  case pop(count: Int, node: NodeID?)
  case popTo(Destination)
  case popToRoot
  /// A system's back: pops, otherwise dismisses, otherwise follows the tabs' back behaviour, otherwise changes nothing.
  case back
  case dismiss(node: NodeID?)
  case select(Selection, node: NodeID?)
  case push(Route)
  case present(Route, style: PresentationStyle, node: NodeID?, replace: Bool)
  case set([Route])
  case remove(node: NodeID)
  /// A code from the OAuth redirect or from the operator (who needs no state).
  case login(hasCode: Bool, state: String?, error: String?, byOperator: Bool)
  case logout
  /// A held link is let go.
  case cancel(link: LinkID)
  case token
  /// Where the app is now, as its client knows.
  case appState(Activity)
  case facts([String: Value])
  case open(url: String)
  case notification(url: String?, category: String?, tap: Bool, appState: AppState, Message = Message())
  /// The clock of a manual session reaches this time, milliseconds since 1970.
  case advance(to: WideInt)
  /// An effect that the service ended or ticked.
  case effect(id: Effect.ID, Completion)

  public enum Destination: Hashable, Sendable {
    case screen(String)
    case node(NodeID)
  }

  public enum Selection: Hashable, Sendable {
    case tab(Int)
    case flow(String)
  }

  /// How an effect ended.
  public enum Completion: Hashable, Sendable {
    /// A timer ticked for the n-th time (from 1), or a known value's delay has passed.
    case due(tick: WideInt)
    /// A request brought this.
    case loaded(Value)
    /// A request or the token call failed; the reason is a stable word, then a text.
    case failed(String)
    /// The token call brought a token.
    case exchanged
    /// Its consequences exceeded a bound, so it ends without any; the reason is the refusal's code.
    case abandoned(String)
  }

  /// Where an app is, by its system: what a user sees and touches, what is seen and not touched, what is not seen.
  public enum Activity: String, Hashable, Sendable, CaseIterable {
    case foreground, inactive, background
  }

  public enum AppState: String, Hashable, Sendable, CaseIterable {
    case foreground, background, killed
  }

  /// A screen and its params, as a raw operation names it.
  public struct Route: Hashable, Sendable {
    public var screen: String
    public var params: [String: Value]

    public init(_ screen: String, params: [String: Value] = [:]) {
      self.screen = screen
      self.params = params
    }
  }
}
