import CairnCore

extension Refusal.Code {
  /// The meaning of the code, and the remedy.
  var meaning: (String, String) {
    switch self {
    case .invalid: ProblemCode.invalid.meaning
    case .unknownLink: ("no link of the app matches the URL", "add a link `/{path...}`, which matches every other URL")
    case .advanceTooFar:
      ("more effects are due before the new time of the clock than the setting `advanceTicks`", "advance less per request")
    case .valueTooLarge: ("a value exceeds the setting `valueSize`, or a URL is too long", "send a smaller value or a shorter URL")
    case .notHandled:
      ("no flow that receives the screen's steps handles the step", "handle it in such a flow, or set `compat: { unhandled: drop }`")
    case .notInContract: ("the screen does not emit this step", "`accepts` lists the steps that can be posted")
    case .hidden:
      (
        "the screen, or the node in `from`, is covered by a push, a modal, a level or another tab",
        "read the session, and act from a node of its current tree"
      )
    case .dismissed: ("the screen, or the node in `from`, no longer exists", "read the session, and act from a node of its current tree")
    case .alreadyPresenting:
      ("the node or the level already has a modal, or 16 modals are queued", "use `replace: true`, another `level`, or `queue: true`")
    case .screenNotFound:
      ("the screen is not on the stack or in the tree, or a migration would leave a container without children", "")
    case .flowGone: ("the flow is not in the tree, or has ended", "")
    case .noStack: ("the node is not on a stack, or the flow is not a split", "`cairn check` warns of a push that may find no stack")
    case .noTabs: ("the node is not inside tabs, or no tabs around it contain the flow", "")
    case .noSwitch: ("the flow is not a switch", "")
    case .suppressed: ("the app currently suppresses the notification, so it cannot be tapped or answered", "")
    case .guarded:
      ("the gesture would dismiss a node with `guard: true`", "post a step that removes the node; `accepts.guarded` lists such gestures")
    case .oauthStateMismatch:
      ("the redirect's `state` belongs to no open login page, or was already used", "use the URL of an open login page")
    case .oauthCodeMissing: ("the redirect has neither the parameter `code` nor `error`", "")
    case .oauthNotConfigured: ("the definition has no `oauth` section", "")
    case .stepLoop: ("steps cause each other in an endless loop", "")
    case .sessionTooLarge: ("the session, or its exported file, would exceed the service's [limits](operations.md)", "")
    case .tooMuchWork: ("the request needs more work than the service's [limits](operations.md) allow", "")
    case .effectGone: ("the load, timer or token call has ended or was cancelled, or the posted answer does not fit it", "")
    case .linkGone: ("the link is no longer held", "")
    case .questionGone: ("the question has been answered, or has ended", "")
    case .manualClockOnly: ("`advance` requires a session with a manual clock", "")
    case .manualRequestsOnly: ("`answer` requires a session with manual requests", "")
    case .valueMismatch: ("a value that the definition computes is missing, has the wrong type, or cannot be used where it is needed", "")
    case .internalStep:
      (
        "no screen or flow emits the step, so only handlers, rules, links, timers and loads send it",
        "add the step to `emits`, if clients should post it"
      )
    }
  }
}
