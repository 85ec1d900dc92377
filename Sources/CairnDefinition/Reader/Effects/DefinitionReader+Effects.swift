import CairnCore

extension DefinitionReader {
  /// Reads `{ value | get | post | put | delete, … }`. Returns `nil` after reporting an error.
  func load(_ element: Element, in scope: Surroundings) -> Load? {
    guard let fields = fields(of: element, "load", .load) else { return nil }
    let given = MemberTable.load.alternatives.filter { fields[$0] != nil }
    guard let first = given.first, let value = fields[first], given.count == 1 else {
      report("load needs \(given.isEmpty ? "" : "only ")one of \(english(MemberTable.load.alternatives, "and"))", at: element.position)
      for member in ["then", "else"] { _ = fields[member].flatMap { step($0, in: scope.withResult.withError) } }
      return nil
    }
    let delay = duration(fields["delay"], "delay") ?? 0
    let then = fields["then"].flatMap { step($0, in: scope.withResult) }
    let otherwise = fields["else"].flatMap { step($0, in: scope.withError) }
    let restart = flag(fields["restart"], "restart")
    let whileVisible = isWhileVisible(fields)
    let source: Load.Source?
    if let method = HTTPMethod(rawValue: first) {
      source = request(method, value, fields, in: scope).map(Load.Source.request)
    } else {
      checkValue(fields)
      source = expression(value, in: scope).map(Load.Source.value)
    }
    return source.map { Load($0, delay: delay, then: then, otherwise: otherwise, restart: restart, whileVisible: whileVisible) }
  }

  private func isWhileVisible(_ fields: Fields) -> Bool {
    guard let element = fields["while"] else { return false }
    if element.text != "visible" { report("while must be visible, not \(described(element))", at: element.position) }
    return true
  }

  /// Reads the URL of a load. It must begin with an allowed host, or with a fact that has `env`. Returns `nil` after reporting an error.
  func url(_ element: Element, _ what: String, in scope: Surroundings, isSecret: Bool) -> Expression? {
    guard let text = text(element, what), let expression = expression(element, in: scope.withTemplates) else { return nil }
    if isSecret, !PlainHTTP.mayCarrySecrets(text) {
      reportUnlessStored("a secret must not be sent over plain HTTP; use https", at: element.position)
    }
    switch expression {
    case .literal(.string(let text)): checkHost(of: text, what, isWhole: true, at: element.position)
    case .template(let parts):
      switch parts.first {
      case .text(let text): checkHost(of: text, what, isWhole: parts.count == 1, at: element.position)
      case .reference(let reference):
        checkBase(reference, what, at: element.position)
        if parts.count > 1 { checkEnd(ofBaseBefore: parts[1], at: element.position) }
      case nil: break
      }
    case .reference(let reference): checkBase(reference, what, at: element.position)
    case .literal, .array, .object: break
    }
    return expression
  }

  private func checkBase(_ reference: Reference, _ what: String, at position: Position) {
    if case .fact(let name) = reference {
      guard let fact = names.fact(name) else { return }
      if fact.environment != nil, fact.type.kind == .string { return }
      report("the fact \(name) can begin a URL only if it is a string from the environment (env: NAME)", at: position)
    } else {
      report("\(what) must begin with https:// and a host that allowHosts lists, or with a fact that has env", at: position)
    }
  }

  /// Reports a text directly after a base URL that would extend the base's host name.
  private func checkEnd(ofBaseBefore part: Expression.Part, at position: Position) {
    if case .text(let text) = part, let first = text.first, "/?#".contains(first) { return }
    reportUnlessStored("the fact at the start of a URL must be followed by a path that begins with /", at: position)
  }

  /// Reads `{ after | every, send, with, name, while }`. Returns `nil` after reporting an error.
  func timer(_ element: Element, in scope: Surroundings) -> Timer? {
    guard let fields = fields(of: element, "a timer", .timer) else { return nil }
    guard (fields["after"] == nil) != (fields["every"] == nil) else {
      report("a timer needs \(fields["after"] == nil ? "after or every" : "either after or every, not both")", at: element.position)
      _ = step(from: fields, in: scope)
      return nil
    }
    let repeats = fields["every"] != nil
    let delay =
      repeats
      ? duration(fields["every"], "every", atLeast: max(1, context.limits.shortestTimer))
      : duration(fields["after"], "after", atLeast: context.limits.shortestTimer)
    let name = fields["name"].flatMap { text($0, "name") }
    if let name {
      context.timerNames.declare(name)
      if name == "all" {
        report("a timer cannot be named all, because cancel: all means all timers and loads", at: fields.position(of: "name"))
      }
      if name == "links" {
        reportUnlessStored("a timer cannot be named links, because cancel: links means the held links", at: fields.position(of: "name"))
      }
    }
    let whileVisible = isWhileVisible(fields)
    guard let step = step(from: fields, in: scope), let delay else { return nil }
    return Timer(name: name, delay: delay, repeats: repeats, step: step, whileVisible: whileVisible)
  }

  /// Reports the names in `cancel` operations that no timer has.
  func checkCancelledTimers() {
    let timers = context.timerNames
    let known = KnownNames(timers.declared.union(["all"]))
    for element in timers.cancelled {
      guard let name = element.text, !timers.declared.contains(name) else { continue }
      reportUnknown(.timer, name, at: element.position) {
        let meant = known.nearest(to: name).map { "; did you mean \($0)?" }
        return "there is no timer named \(name)\(meant ?? "; use all, or give a timer this name")"
      }
    }
  }
}
