/// A message that has not ended: a POST that belongs to the session. Messages are sent one after the other, in the order of the calls.
public struct Message: Hashable, Sendable {
  /// The key that identifies the message within the session.
  public var key: String
  /// The node that sent the step of the newest call; `nil` if no node sent it.
  public var node: NodeID?
  /// The flow that handled the newest call, and its parent flows from the inside out, without the root flow.
  public var flows: [NodeID]
  public var then: StepTemplate?
  public var otherwise: StepTemplate?
  public var url: String
  /// Whether the message sends the access token that the session had at the time of the call.
  public var bearer: Bool
  /// Whether the session had an access token at the time of the call.
  public var hasToken: Bool
  public var terms: CallTerms
  /// The text from which the header `Idempotency-Key` is derived. All attempts share it, including those after an unknown outcome. Empty in
  /// a client's replica.
  public var header: String
  /// The digest of the URL and the body, in which all secrets count as equal. Empty in a client's replica.
  public var digest: String
  /// Whether the message is not sent because its session was imported.
  public var isHeld: Bool

  public init(
    key: String, node: NodeID? = nil, flows: [NodeID] = [], then: StepTemplate? = nil, otherwise: StepTemplate? = nil, url: String = "",
    bearer: Bool = false, hasToken: Bool = false, terms: CallTerms = CallTerms(method: .post), header: String = "", digest: String = "",
    isHeld: Bool = false
  ) {
    self.key = key
    self.node = node
    self.flows = flows
    self.then = then
    self.otherwise = otherwise
    self.url = url
    self.bearer = bearer
    self.hasToken = hasToken
    self.terms = terms
    self.header = header
    self.digest = digest
    self.isHeld = isHeld
  }

  /// Maximum number of messages of a session that have not ended.
  package static let most = 100
  /// Maximum estimated size in bytes of all messages of a session that have not ended.
  package static let mostBytes = 256 << 10
  /// Maximum length of a key in bytes.
  package static let longestKey = 200

  /// The approximate size in bytes.
  var size: Int {
    State.itemSize + key.utf8.count + url.utf8.count + header.utf8.count + terms.size + (then?.size ?? 0) + (otherwise?.size ?? 0)
  }
}

extension Effect {
  /// The message that the effect sends; `nil` for other effects.
  public var message: Message? { if case .message(let message) = work { message } else { nil } }

  /// Whether the effect is a message that sends an access token, of which the store keeps a copy.
  package var keepsToken: Bool { message.map { $0.bearer && $0.hasToken } ?? false }

  /// Whether the effect is a message.
  public var isMessage: Bool { if case .message = work { true } else { false } }
}

#if !CLIENT_ENGINE
  extension State {
    /// The state with all messages held: each is sent only after a step calls with its key again, or after the action `retry`. Used for an imported
    /// session, because the original session may send the same messages.
    package var holdingMessages: State {
      var state = self
      state.effects = effects.map { effect in
        guard case .message(var message) = effect.work else { return effect }
        var effect = effect
        message.isHeld = true
        effect.work = .message(message)
        effect.isIdle = true
        return effect
      }
      return state
    }
  }
#endif

extension State {
  /// Whether the session has a message that has not ended.
  package var hasMessages: Bool { effects.contains { $0.isMessage } }
}
