import CairnCore

extension Refusal.Code {
  /// The meaning of the code, and the remedy.
  var meaning: (String, String) {
    switch self {
    case .invalid: ProblemCode.invalid.meaning
    case .unknownLink:
      ("no link of the app matches the URL", "to show a page for every other URL, name a step in `unmatched` of `linkDefaults`")
    case .advanceTooFar:
      (
        "more effects, such as timers and loads, are due before the new time of the clock than the setting `advanceTicks` allows",
        "advance the clock by less in each request"
      )
    case .sealedKeyGone:
      ("a [sealed value](offline.md#secrets) was made for a key that the service no longer has", "ask the user for the value again")
    case .valueTooLarge: ("a value exceeds the setting `valueSize`, or a URL is too long", "send a smaller value or a shorter URL")
    case .notHandled:
      (
        "none of the flows that receive the screen's steps handles this step",
        "handle the step in one of these flows, or set `compat: { unhandled: drop }`"
      )
    case .notInContract: ("the screen does not emit this step", "`accepts` lists the steps that can be posted")
    case .hidden:
      (
        "the screen, or the node in `from`, is covered by a push, a modal, a level or another tab",
        "read the session, and act from a node of its current tree"
      )
    case .dismissed: ("the screen, or the node in `from`, no longer exists", "read the session, and act from a node of its current tree")
    case .alreadyPresenting:
      (
        "the node or the level already has a modal, the slot already has an overlay, or 16 modals and overlays are queued",
        "use `replace: true`, another `level` or `slot`, or `queue: true`"
      )
    case .screenNotFound:
      ("the screen is not in the stack or the tree, or a migration would leave a container without children", "")
    case .flowGone: ("the flow is not in the tree, or has already ended", "")
    case .noStack:
      (
        "the node is not in a stack, or the flow is not a split",
        "use a node of a stack; `cairn check` warns of a push that may find no stack"
      )
    case .noTabs: ("the node is not inside tabs, or no tabs around it contain the flow", "")
    case .noSwitch: ("the flow is not a switch", "")
    case .suppressed: ("the app currently suppresses this notification, so the user cannot tap or answer it", "")
    case .guarded:
      (
        "the gesture would remove a node with `guard: true`, or a handler selects a tab whose condition is false",
        "post a step that removes the node; `accepts.guarded` lists such gestures"
      )
    case .oauthStateMismatch:
      (
        "the `state` of the redirect matches no open login page, or was already used",
        "start the login again, and use the redirect of its page"
      )
    case .oauthCodeMissing: ("the redirect has neither the parameter `code` nor `error`", "")
    case .oauthNotConfigured: ("the definition has no `oauth` section", "")
    case .stepLoop: ("steps send each other in an endless loop", "")
    case .sessionTooLarge: ("the session, or its exported file, would exceed the service's [limits](operations.md)", "")
    case .tooMuchWork: ("the request needs more work than the service's [limits](operations.md) allow", "")
    case .effectGone: ("the load, timer or token call has ended, or the posted answer does not fit it", "")
    case .linkGone: ("the held link was already followed or dropped", "")
    case .questionGone: ("the question has ended; for example, it was answered or cancelled", "")
    case .actionGone: ("the held action was already performed or dropped", "")
    case .tooManyHeld: ("the session already holds the maximum of 16 actions for its clients", "cancel a held action")
    case .keyReused: ("the session already has a message with this key and another URL or body", "use a new key for another message")
    case .tooManyMessages:
      ("the session has the maximum of 100 messages, or of 256 KiB, that have not ended", "send the step again when a message has ended")
    case .messageGone:
      (
        "no message with this key is in progress: it has ended, or it never existed",
        "`pending` lists the messages that have not ended"
      )
    case .tokenMissing: ("the message sends an access token, and the session has none", "post the token first")
    case .manualClockOnly: ("`advance` requires a session with a manual clock", "")
    case .manualRequestsOnly: ("`answer` requires a session with manual requests", "")
    case .valueMismatch: ("a computed value is missing, has the wrong type, or is not valid where it is used", "")
    case .internalStep:
      (
        "no screen or flow emits the step, so clients cannot post it",
        "if clients should post the step, add it to `emits`"
      )
    }
  }
}
