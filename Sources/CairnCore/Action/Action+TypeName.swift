extension Action {
  /// The `type` member; nil for a step, which needs none.
  public var typeName: String? {
    switch self {
    case .step: nil
    case .pop: "pop"
    case .popTo: "popTo"
    case .popToRoot: "popToRoot"
    case .back: "back"
    case .dismiss: "dismiss"
    case .select: "select"
    case .push: "push"
    case .present: "present"
    case .set: "set"
    case .remove: "remove"
    case .login: "login"
    case .logout: "logout"
    case .cancel: "cancel"
    case .token: "token"
    case .appState: "appState"
    case .facts: "facts"
    case .open: "open"
    case .notification: "notification"
    case .advance: "advance"
    case .effect: "effect"
    }
  }
}
