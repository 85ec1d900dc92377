import CairnCore

/// Distinguishes the actions that may wait for the network and be stored from those with a token, a code or a secret.
struct ActionSecrecy {
  /// The replica, whose definition declares the secret params; `nil` if the definition is unknown.
  let replica: Replica?

  /// Whether an action has, or may have, a token, a code or a secret param that is not sealed.
  func hasSecret(_ action: Value) -> Bool {
    if action["type"] == "login" || action["type"] == "token" || action["exchanged"] != nil { return true }
    if action["type"] == "open", mayHaveCode(action["url"]) || hasSecretLinks { return true }
    // Without a replica, the secret params are unknown, so every action with params counts as secret.
    return replica?.hasSecret(SessionAction(action).read) ?? (action["params"] != nil || action["stack"] != nil)
  }

  /// Whether an action without a secret may be stored in a file. A step may be stored if the definition declares all of its params.
  func mayStore(_ action: Value) -> Bool {
    if case .string(let step)? = action["step"] {
      guard case .object(let params)? = action["params"] else { return true }
      guard let declared = replica?.definition.steps[step]?.params else { return false }
      return params.keys.allSatisfy { declared[$0] != nil }
    }
    guard case .string(let type)? = action["type"], let kind = Action.Kind(word: type) else { return false }
    switch kind {
    case .push, .present, .set, .remove, .open: return replica != nil
    // These actions contain a token, a code, or values that no definition declares.
    case .login, .token, .answer, .retry, .notification, .effect, .step: return false
    // Gestures, and actions that report the state of the app or of a link.
    default: return true
    }
  }

  /// The names of a step's secret params whose texts are not sealed.
  func secretParams(of action: Value) -> [String] {
    guard case .string(let step)? = action["step"], case .object(let params)? = action["params"],
      let declared = replica?.definition.steps[step]?.params
    else { return [] }
    return params.keys.filter { name in
      guard declared[name]?.isSecret == true, case .string? = params[name] else { return false }
      return true
    }
  }

  private func mayHaveCode(_ url: Value?) -> Bool {
    guard case .string(let url)? = url else { return false }
    return ["?code=", "&code=", "#code="].contains { url.contains($0) }
  }

  private var hasSecretLinks: Bool {
    guard let definition = replica?.definition else { return true }
    return definition.links.contains { link in
      link.steps.contains { definition.steps[$0.step]?.params.values.contains { $0.isSecret } == true }
    }
  }
}
