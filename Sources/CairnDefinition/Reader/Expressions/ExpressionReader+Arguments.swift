import CairnCore

extension ExpressionReader {
  /// Reads the arguments in `with`, and reports each missing, unknown or wrongly typed argument. If `params` is `nil`, the params are
  /// unknown and nothing is checked. `isComplete` is whether a missing argument is an error.
  func arguments(
    _ element: Element?, for params: [String: ParameterDefinition]?, of what: String, at position: Position, in scope: Surroundings,
    by word: String = "with", isComplete: Bool = true
  ) -> [String: Expression] {
    let members = argumentMembers(element, of: what, by: word)
    guard let params else {
      var given: [String: Expression] = [:]
      for member in members ?? [] { given[member.name] = expression(member.element, in: scope) }
      return given
    }
    var given: [String: Expression] = [:]
    var hasStranger = members == nil
    var named = Set((members ?? []).map(\.name))
    for member in members ?? [] {
      let noun = word == "facts" ? "fact" : "param"
      let name = params[member.name] != nil ? member.name : meant(by: member, among: params, except: named, of: what, noun)
      guard let name, let type = params[name] else {
        hasStranger = true
        continue
      }
      named.insert(name)
      guard let expression = expression(member.element, in: type.isSecret ? scope.readingSecrets : scope) else { continue }
      // The value of a misspelled name is not checked, so that the misspelling causes only one message.
      if name == member.name { check(expression, fits: type, "`\(name)` of \(what)", at: member.element.position, in: scope) }
      given[name] = expression
    }
    let missing = params.filter { !$0.value.isOptional && $0.value.defaultValue == nil && !named.contains($0.key) }
    if isComplete && !missing.isEmpty && !hasStranger {
      let list = missing.sortedByKey.map { "\($0.key): \($0.value.kind.rawValue)" }
      report("\(what) requires \(english(list, "and")) in `\(word)`", at: position)
    }
    return given
  }

  /// The members of the map of arguments; empty if `element` is `nil`. Reports any other value and returns `nil`.
  private func argumentMembers(_ element: Element?, of what: String, by word: String) -> [Element.Member]? {
    guard let element, !element.isNull else { return [] }
    if let members = element.members { return members }
    report("`\(word)` must be a map of the params of \(what), not \(article(element.kindName))", at: element.position)
    return nil
  }

  /// Reports an unknown argument, and returns the param with a similar name that was probably intended; `nil` if no param has a similar
  /// name.
  private func meant(
    by member: Element.Member, among params: [String: ParameterDefinition], except named: Set<String>, of what: String, _ noun: String
  ) -> String? {
    let known = names.known(params, of: what)
    let meant = known.nearest(to: member.name, isTaken: named.contains)
    reportUnknown(.param, "\(what) \(member.name)", at: member.position) {
      let all = params.isEmpty ? "it has none" : "it has \(listed(known.sorted))"
      return "\(what) has no \(noun) `\(member.name)`; \(meant.map { "did you mean `\($0)`?" } ?? all)"
    }
    return meant
  }
}
