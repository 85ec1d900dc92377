/// The values of an action's `type`; a step has no `type`.
package enum ActionKind: String, CaseIterable, Sendable {
  case pop, popTo, popToRoot, back, dismiss, select, push, present, set, remove, login, logout, cancel, token, appState, advance, facts,
    answer

  /// The further members of the action.
  package var members: [any DescribedMember] {
    switch self {
    case .pop: [ActionMembers.count, ActionMembers.node]
    case .popTo: [ActionMembers.screen, ActionMembers.node]
    case .popToRoot, .back, .logout: []
    case .dismiss: [ActionMembers.node]
    case .select: [ActionMembers.node, ActionMembers.tab, ActionMembers.flow]
    case .push: [ActionMembers.shown, ActionMembers.params]
    case .present: [ActionMembers.style, ActionMembers.node, ActionMembers.shown, ActionMembers.params, ActionMembers.replace]
    case .set: [ActionMembers.stack]
    case .remove: [ActionMembers.removed]
    case .login: [ActionMembers.code, ActionMembers.state]
    case .cancel: [ActionMembers.link]
    case .token: [ActionMembers.accessToken]
    case .appState: [ActionMembers.activity]
    case .advance: [ActionMembers.by]
    case .facts: [ActionMembers.facts]
    case .answer:
      [ActionMembers.effect, ActionMembers.loaded, ActionMembers.failed, ActionMembers.exchanged, ActionMembers.exchangeFailed]
    }
  }

  /// Of these exactly one is given; empty: no such rule.
  package var alternatives: [String] {
    switch self {
    case .popTo: ["screen", "node"]
    case .select: ["tab", "flow"]
    case .answer: ["loaded", "failed", "exchanged", "exchangeFailed"]
    default: []
    }
  }

  /// For people.
  package var about: String {
    switch self {
    case .pop: "A gesture back: one screen, so many, or a node and all above it."
    case .popTo: "Back to a screen or to a node."
    case .popToRoot: "Back to the first screen of the stack."
    case .back: "A phone's back button: pop, else dismiss, else what the tabs say, else nothing (at-root)."
    case .dismiss: "A gesture that closes the modal in front, or the one that is named."
    case .select: "A tap on a tab, the selected one too; or on a flow of a switch."
    case .push: "A screen on the stack; with primitives: only open."
    case .present: "A screen over everything; with primitives: only open."
    case .set: "Another stack; with primitives: open alone."
    case .remove: "Destroys a node; with primitives: only open."
    case .login: "A code that is exchanged for a token; an operator's needs no state."
    case .logout: "The token is forgotten."
    case .cancel: "A link that is held is let go."
    case .token: "A token that the app has."
    case .appState: "Where the app is; never refused."
    case .advance: "A manual clock goes on."
    case .facts: "Facts are set: an operator's any, a client's those that are declared with by: client."
    case .answer: "Ends a request of a session whose requests are answered by hand."
    }
  }
}
