import CairnCore

/// The rules for declaring, passing and reading secrets: params, facts of flows, and members of responses.
struct SecretRules: PartReader {
  let context: ReaderContext

  /// Whether a type marked `secret` can be secret. Reports a type that cannot be secret.
  func isSecretType(_ type: ParameterDefinition, _ what: String, _ fields: Fields, mayBeSecret: Bool) -> Bool {
    let position = fields.position(of: "secret")
    guard mayBeSecret else {
      report("\(what) cannot be secret; only params, and facts of flows, can", at: position)
      return false
    }
    guard type.kind == .string else {
      report("\(what) is secret, so it must be of type string, not \(type.kind.rawValue)", at: position)
      return false
    }
    for member in ["in", "default"] where fields[member] != nil {
      report("\(what) is secret, so it cannot have `\(member)`: a definition contains no secret", at: fields.position(of: member))
    }
    for member in BoundsReader.words where fields[member] != nil {
      report(
        "\(what) is secret, so it cannot have `\(member)`: the service does not read a secret's text", at: fields.position(of: member))
    }
    return true
  }

  /// Reports a secret that is read in an expression whose value would be shown or stored. Returns `true` if it has reported the secret.
  func isReportedSecret(_ isSecret: Bool, _ name: String, at position: Position, in scope: Surroundings) -> Bool {
    guard isSecret, !scope.mayReadSecrets else { return false }
    report(
      "`$\(name)` is secret and cannot be used here: pass it into a secret param or fact, or send it in `body` or `headers` of a load or message",
      at: position)
    return true
  }

  /// Whether the path is the path of a secret member, or leads into a secret member.
  func isSecret(_ path: [String], among members: Set<String>) -> Bool {
    !members.isEmpty && path.indices.contains { members.contains(path[...$0].joined(separator: ".")) }
  }

  /// Reports an expression that is passed to a secret param or fact but does not read another secret. A reference in a scope with unknown
  /// params is not reported.
  func checkSecret(
    _ expression: Expression, fits type: ParameterDefinition, _ what: String, at position: Position, in scope: Surroundings
  ) {
    if type.isOptional, expression == .literal(.null) { return }
    if case .reference = expression, scope.params == nil || readsSecret(expression, in: scope) { return }
    if scope.hasCaptures {
      report("\(what) is secret: its value must be a whole capture of the link, or a value of the notification, like `$pin`", at: position)
    } else {
      report("\(what) is secret: its value must be a secret param or fact, like `$pin`", at: position)
    }
  }

  /// Whether an expression reads a secret param, a secret fact of a flow, or a secret member of a response.
  func readsSecret(_ expression: Expression, in scope: Surroundings) -> Bool {
    expression.references.contains { reference in
      switch reference {
      case .param(let name): scope.params?[name]?.isSecret == true
      case .screen(let path): path.first.map { names.isSecret(screenParam: $0) } ?? false
      case .flow(let path): path.first.flatMap { name in scope.flow.flatMap { names.params(ofFlow: $0)?[name] } }?.isSecret == true
      case .content(let path, _): isSecret(path, among: names.secretMembers)
      case .result(let path): isSecret(path, among: scope.secretResult)
      case .flowFact(let name): names.flowFact(name, in: scope.flow)?.isSecret == true
      default: false
      }
    }
  }
}
