import CairnCore

extension Refusal.Code {
  /// The meaning of the code, and the remedy.
  var meaning: (String, String) {
    switch self {
    case .invalid: ProblemCode.invalid.meaning
    case .unknownLink: ("no link takes this URL", "a link `/{path...}` takes what is left")
    case .advanceTooFar: ("the clock goes on at most so far at once", "")
    case .valueTooLarge: ("a value beyond `valueSize`", "")
    case .notHandled: ("no flow that hears the screen handles the step", "a flow above lists it, or the definition says `unhandled: drop`")
    case .notInContract: ("the screen does not emit this step", "`accepts` says which may be posted")
    case .hidden: ("the screen, or the `from` of a gesture, is covered, by a push, a modal or a level", "use the current tree")
    case .dismissed: ("the screen, or the `from` of a gesture, is gone", "use the current tree")
    case .alreadyPresenting: ("something is presented there, or 16 modals wait", "`replace: true`, a `level`, or `queue: true`")
    case .screenNotFound: ("no screen of that name is there", "")
    case .flowGone: ("no flow of that name is there", "")
    case .noStack: ("there is no stack around what says it", "`cairn check` warns of a push that may find none")
    case .noTabs: ("there are no tabs around what says it", "")
    case .noSwitch: ("there is no switch around what says it", "")
    case .suppressed: ("the tap is on a notification that the app does not show now", "")
    case .guarded: ("what the gesture would take away has `leave: none`", "`accepts.guarded` says so beforehand")
    case .oauthStateMismatch: ("a redirect that no open login page waits for, or whose `state` another redirect has used", "")
    case .oauthCodeMissing: ("a redirect without a code, or with an empty one", "")
    case .oauthNotConfigured: ("the provider's variables are not set", "")
    case .stepLoop: ("steps that send each other without end", "")
    case .sessionTooLarge: ("the session would go beyond the service's [limits](operations.md)", "")
    case .tooMuchWork: ("more work than the service's [limits](operations.md) allow", "")
    case .effectGone: ("the load or timer has already ended", "")
    case .linkGone: ("the link is not held any more", "")
    case .manualClockOnly: ("`advance` is for sessions with a manual clock", "")
    case .manualRequestsOnly: ("`answer` is for sessions whose requests are answered by hand", "")
    case .valueMismatch: ("a value that is worked out does not fit, or is missing", "")
    case .internalStep: ("timers and loads send it, clients do not", "")
    case .primitivesClosed: ("the app takes no `push`, `present`, `set` and `remove`", "")
    }
  }
}
