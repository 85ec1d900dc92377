/// The pure function from a state and an action to the next state. No clock, no chance: both come in with the stamp.
public struct Reducer: Sendable {
  public let definition: Definition

  public init(_ definition: Definition) { self.definition = definition }

  /// The first state of a session and what its start did; revision 1.
  public func create(_ creation: Creation, stamp: Stamp) throws(Refusal) -> (state: State, transition: Transition) {
    throw Refusal(.notHandled, "")
  }

  /// Runs one action. On a refusal, and on `unchanged`, the state is as it was.
  public func reduce(_ state: inout State, _ action: Action, stamp: Stamp) throws(Refusal) -> Transition {
    throw Refusal(.notHandled, "")
  }

  /// Moves a manual clock: each due effect is an entry of its own, by deadline, then creation. Requests that may leave are not
  /// sent here; their results arrive by themselves. At most 1,000 effects, else `advance-too-far` and nothing happened.
  /// The transition is of the whole move; its events are all events in order.
  public func advance(
    _ state: inout State, by milliseconds: Int, nonce: String
  ) throws(Refusal) -> (entries: [Entry], transition: Transition) {
    throw Refusal(.notHandled, "")
  }

  /// Takes the secret out of a command. The OAuth redirect is recognised here, by the redirect URL that the session was born with.
  public func seal(_ command: Command, for state: State) throws(Refusal) -> Sealed {
    throw Refusal(.notHandled, "")
  }

  /// The tree as a client sees it.
  public func tree(of state: State) -> Tree { Tree(id: state.root, kind: .stack, name: "") }

  /// The visible routes from the root to the leaf, modals included.
  public func routes(of state: State) -> [RouteEntry] { [] }

  /// What may be posted now.
  public func accepts(_ state: State) -> Acceptance { Acceptance(steps: [], primitives: []) }
}

/// What may be posted now, so that nobody has to guess.
public struct Acceptance: Hashable, Sendable, Codable {
  public var steps: [AcceptedStep]
  public var primitives: [String]

  public struct AcceptedStep: Hashable, Sendable, Codable {
    public var step: String
    /// Type by name, with `?` behind an optional one.
    public var params: [String: String]
  }
}
