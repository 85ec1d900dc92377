/// The error of an action that was not accepted. The refused action has changed nothing.
public struct Refusal: Error, Hashable, Sendable {
  public var code: Code
  /// An explanation for people, with a valid alternative if possible.
  public var detail: String
  /// The faults of the action's members; empty if the refusal does not concern single members.
  public var faults: [Fault]

  /// The stable code by which clients distinguish refusals.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Codes for actions that are not valid for this app (422).
    case invalid
    case unknownLink = "unknown-link"
    case advanceTooFar = "advance-too-far"
    case sealedKeyGone = "sealed-key-gone"
    // The code for values that are too large (413).
    case valueTooLarge = "value-too-large"
    // Codes for actions that are not allowed in this state (409).
    case notHandled = "not-handled"
    case notInContract = "not-in-contract"
    case hidden
    case dismissed
    case alreadyPresenting = "already-presenting"
    case screenNotFound = "screen-not-found"
    case flowGone = "flow-gone"
    case noStack = "no-stack"
    case noTabs = "no-tabs"
    case noSwitch = "no-switch"
    case suppressed
    case guarded
    case oauthStateMismatch = "oauth-state-mismatch"
    case oauthCodeMissing = "oauth-code-missing"
    case oauthNotConfigured = "oauth-not-configured"
    case stepLoop = "step-loop"
    case sessionTooLarge = "session-too-large"
    case tooMuchWork = "too-much-work"
    case effectGone = "effect-gone"
    case linkGone = "link-gone"
    case questionGone = "question-gone"
    case actionGone = "action-gone"
    case tooManyHeld = "too-many-held"
    case keyReused = "key-reused"
    case tooManyMessages = "too-many-messages"
    case messageGone = "message-gone"
    case tokenMissing = "token-missing"
    case manualClockOnly = "manual-clock-only"
    case manualRequestsOnly = "manual-requests-only"
    case valueMismatch = "value-mismatch"
    // The code for steps that no client may post (403).
    case internalStep = "internal-step"
  }

  public struct Fault: Hashable, Sendable {
    /// A JSON Pointer into the action, without the leading `#`.
    public var pointer: String
    public var detail: String

    public init(pointer: String, detail: String) {
      self.pointer = pointer.bounded
      self.detail = detail.bounded
    }
  }

  public init(_ code: Code, _ detail: String, faults: [Fault] = []) {
    self.code = code
    self.detail = detail.bounded
    self.faults = faults.count > Self.faultLimit ? Self.cut(faults) : faults
  }

  /// Maximum number of listed faults. If an action has more, one additional fault contains the number of the omitted ones.
  public static let faultLimit = 20

  private static func cut(_ faults: [Fault]) -> [Fault] {
    faults.prefix(faultLimit) + [Fault(pointer: "", detail: "and \(faults.count - faultLimit) more")]
  }
}

extension String {
  /// The text, truncated to 1,000 characters if it has more than 4,096 bytes. A message may quote a client's text, which can be as long as
  /// a request's body.
  var bounded: String { utf8.count <= 4_096 ? self : "\(prefix(1_000))…" }
}
