#if !CLIENT_ENGINE
  /// An action posted with `deliver: settled`, or a notification whose rule waits for the clients (`Taking.isSettled`). It is held until
  /// the clients have sent the earlier actions of their users.
  public struct HeldAction: Hashable, Sendable, Identifiable {
    public internal(set) var id: HeldID
    /// The action that is performed at the end of the hold.
    public var action: Action
    /// The time at which the action was held, in milliseconds since 1970.
    public var since: WideInt
    /// The deadline in milliseconds since 1970. At this time, the action is performed even if a client has not been in contact.
    public var until: WideInt
    /// The ids of the clients for which the action waits: they may have unsent actions, and have not been in contact since the action was held.
    public var clients: [String]

    public init(id: HeldID = HeldID(1), action: Action, since: WideInt, until: WideInt, clients: [String]) {
      self.id = id
      self.action = action
      self.since = since
      self.until = until
      self.clients = clients
    }
  }

  extension HeldAction {
    /// The deadline of the held action, as an effect. Held actions and held links share one sequence of numbers, so no other effect has the
    /// same id.
    var end: Effect { Effect(id: -id.number, owner: nil, start: until, work: .value(.null, delay: 0, then: nil, otherwise: nil)) }

    /// The numbers of the secrets in the action. Only a notification contains URLs with secrets.
    var secrets: [WideInt] {
      let values = action.values
      return (0..<ActionValues.count).flatMap { place in
        values[place].map { action.kind == .notification ? HeldAction.secrets(in: $0) : $0.secrets } ?? []
      }
    }

    private static func secrets(in value: Value) -> [WideInt] {
      switch value {
      case .string(let text): SealedURL.numbers(in: text)
      case .array(let elements): elements.flatMap { secrets(in: $0) }
      case .object(let members): members.flatMap { secrets(in: $0.value) }
      default: value.secrets
      }
    }

    /// The approximate size in bytes.
    var size: Int {
      let values = action.values
      return State.itemSize + (0..<ActionValues.count).reduce(0) { $0 + (values[$1]?.size ?? 0) } + clients.reduce(0) { $0 + $1.utf8.count }
    }
  }
#endif
