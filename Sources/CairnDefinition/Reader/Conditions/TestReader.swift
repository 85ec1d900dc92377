import CairnCore

/// Reads the test of a condition's subject, and compares it with the subject's type.
struct TestReader: PartReader {
  let context: ReaderContext

  /// Reads the test of a subject: `is`, `not`, `in`, `over` or `under`. Without a test, the condition requires the value `true`. The values `present`
  /// and `absent` are keywords. `isNegated` is whether the test is `not`. Returns `nil` after reporting an error.
  func test(_ fields: Fields, in scope: Surroundings) -> (Guard.Test, isNegated: Bool)? {
    let given = MemberTable.tests.filter { fields[$0] != nil }
    guard given.count <= 1 else {
      report(
        "a condition can have only one of \(english(MemberTable.tests, "and")); combine two with `all: [..]`",
        at: fields.position(of: given[1]))
      return nil
    }
    guard let word = given.first, let value = fields[word] else { return (.isTrue, false) }
    if value.text == "present" { return (.present, word == "not") }
    if value.text == "absent" { return (.absent, word == "not") }
    switch word {
    case "in": return values(value).map { (.among($0), false) }
    case "over": return bound(value, word, in: scope).map { (.over($0), false) }
    case "under": return bound(value, word, in: scope).map { (.under($0), false) }
    default: return expressions.expression(value, in: scope).map { (.equals($0), word == "not") }
    }
  }

  /// Reports a test that no value of this type can fulfill, or that cannot be applied to values of this type.
  func check(
    _ test: Guard.Test, of type: ParameterDefinition?, _ what: String, _ fields: Fields, in scope: Surroundings
  ) {
    guard let type else { return }
    let position = MemberTable.tests.compactMap { fields[$0]?.position }.first ?? fields.position
    if type.isSecret {
      guard test != .present, test != .absent else { return }
      return report("\(what) is secret: a condition can test it only with `is: present` or `is: absent`", at: position)
    }
    switch test {
    case .present, .absent: break
    case .among(let values):
      if let fault = names.misfit(in: values, of: type).flatMap(type.fault) { report("\(what) \(fault)", at: position) }
    case .over(let expression), .under(let expression):
      if [.string, .boolean, .list].contains(type.kind) {
        report("\(what) is of type \(type.kind.rawValue), but `over` and `under` compare numbers", at: position)
      } else {
        expressions.check(
          expression, fits: ParameterDefinition(.number), "the value with which \(what) is compared", at: position, in: scope)
      }
    case .isTrue:
      guard type.kind != .boolean && type.kind != .any else { return }
      report("\(what) is of type \(type.kind.rawValue), so it is never true; add `is: VALUE`", at: fields.position)
    case .equals(let expression):
      expressions.check(expression, fits: type, what, at: position, in: scope)
    }
  }

  /// Reads `in`: a list of values, or the name of a set. Returns `nil` after reporting an error.
  private func values(_ element: Element) -> ValueSet? {
    if element.text != nil { return name(element, of: .set).flatMap { names.sets[$0] ?? nil } }
    guard let list = element.list, !list.isEmpty else {
      report("`in` must be a list of values or the name of a set", at: element.position)
      return nil
    }
    return ValueSet(list.map(\.value))
  }

  /// Reads `over` or `under`: a number, a reference, or a duration, which is converted to whole milliseconds. Returns `nil` after reporting
  /// an error.
  private func bound(_ element: Element, _ word: String, in scope: Surroundings) -> Expression? {
    switch element.content {
    case .scalar(.integer), .scalar(.number): return .literal(element.value)
    case .scalar(.string(let text)) where text.hasPrefix("$"): return expressions.expression(element, in: scope)
    case .scalar(.string(let text)):
      if let duration = DurationText.milliseconds(text) { return .literal(.integer(duration)) }
    case .scalar, .list, .map: break
    }
    report(
      "`\(word)` must be a number, a duration like `2m` or a reference like `$fact.limit`, not \(described(element))", at: element.position)
    return nil
  }
}
