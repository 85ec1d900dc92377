/// Removes the values of secret params from an action, and replaces them by numbers. The reducer and the journal see only the numbers.
enum SecretParams {
  /// Maximum size of a secret in bytes of UTF-8.
  static let largest = 4_096
  /// Maximum number of secrets in one action. The number of an action's first secret is this maximum times the revision that the action
  /// creates.
  static let most: WideInt = 256

  /// Returns the action without the values of its secret params. Values of a wrong type are not removed, because the reducer rejects them.
  /// Throws if the action has too many secrets, or a secret that is too long. With `takesSealed`, a secret may also be an object that a
  /// client has encrypted for the service. Such a secret is replaced by a number too, but the text of the secret is not known.
  static func seal(_ action: Action, by program: Program, for state: State, takesSealed: Bool = false) throws(Refusal) -> Sealed {
    guard program.hasSecretParams else { return Sealed(action) }
    let definition = program.definition
    var sealing = Sealing(after: state)
    sealing.takesSealed = takesSealed
    let sealed: Action
    switch action {
    case .step(let step, let from):
      let params = try sealing.sealed(step.params, definition.steps.value(exactly: step.step)?.params, at: "/params")
      sealed = .step(Step(step.step, params: params), from: from)
    case .push(let route): sealed = .push(try sealing.sealed(route, definition, at: ""))
    case .present(let route, let style, let node, let replace):
      sealed = .present(try sealing.sealed(route, definition, at: ""), style: style, node: node, replace: replace)
    case .set(let routes):
      var all: [Action.Route] = []
      for (index, route) in routes.enumerated() { all.append(try sealing.sealed(route, definition, at: "/stack/\(index)")) }
      sealed = .set(all)
    #if !CLIENT_ENGINE
      case .settled(let inner):
        let inner = try seal(inner, by: program, for: state, takesSealed: takesSealed)
        return Sealed(.settled(inner.action), secret: inner.secret)
      case .open(let url): sealed = .open(url: try sealing.sealed(url: url, definition))
      case .notification(let url, let category, let tap, let appState, let message):
        let contents = try sealing.sealed(message, definition)
        let opened = try url.map { url throws(Refusal) in try sealing.sealed(url: url, definition, isNotified: true) }
        sealed = .notification(url: opened, category: category, tap: tap, appState: appState, contents)
    #endif
    default: return Sealed(action)
    }
    return Sealed(sealed, secret: sealing.secret)
  }

  /// Collects the secrets of one action.
  struct Sealing {
    private var next: WideInt
    private var texts: [WideInt: String] = [:]
    fileprivate var takesSealed = false

    /// Creates an empty collection. The numbers of its secrets are those of the entry that follows `state`.
    init(after state: State) { next = WideInt(state.revision + 1) * SecretParams.most }

    /// The texts of the secrets; `nil` if there are none.
    var secret: Secret? { texts.isEmpty ? nil : .params(texts) }

    mutating func sealed(_ route: Action.Route, _ definition: Definition, at pointer: String) throws(Refusal) -> Action.Route {
      let types = definition.screens.value(exactly: route.screen)?.params
      return Action.Route(route.screen, params: try sealed(route.params, types, at: "\(pointer)/params"))
    }

    mutating func sealed(
      _ params: [String: Value], _ types: [String: ParameterDefinition]?, at pointer: String
    ) throws(Refusal) -> [String: Value] {
      guard let types else { return params }
      var sealed = params
      for (name, value) in params.sortedByKey where types.value(exactly: name)?.isSecret == true {
        switch value {
        case .string(let text): sealed[name] = .sealed(try number(of: text, at: "\(pointer)/\(name.pointerEscaped)"))
        case .object(let members) where takesSealed && members.contains(exactly: "sealed"):
          sealed[name] = .sealed(next)
          next += 1
        default: break
        }
      }
      return sealed
    }

    /// Returns the number that replaces a secret. Throws if the secret is too long, or if there are too many secrets. `place` is the JSON
    /// Pointer to the secret.
    mutating func number(of text: String, at place: @autoclosure () -> String) throws(Refusal) -> WideInt {
      guard text.utf8.count <= SecretParams.largest else {
        throw SecretParams.refusal("a secret is too long", place(), "must have at most \(SecretParams.largest) bytes")
      }
      guard WideInt(texts.count) < SecretParams.most else {
        let fault = "exceeds the maximum of \(SecretParams.most) secrets per action"
        throw SecretParams.refusal("the action has too many secrets", place(), fault)
      }
      texts[next] = text
      next += 1
      return next - 1
    }
  }

  private static func refusal(_ detail: String, _ pointer: String, _ fault: String) -> Refusal {
    Refusal(.invalid, detail, faults: [.init(pointer: pointer, detail: fault)])
  }
}
