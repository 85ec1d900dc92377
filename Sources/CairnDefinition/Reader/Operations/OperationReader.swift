import CairnCore

/// Reads the operations of handlers.
struct OperationReader: PartReader {
  let context: ReaderContext

  /// Reads an operation: a keyword, or a map that contains a keyword. A map may stand for several operations. Returns an empty list after
  /// reporting an error.
  func operations(_ element: Element, in scope: Surroundings) -> [Operation] {
    if let word = element.text { return bareOperation(word, element, in: scope).map { [$0] } ?? [] }
    guard let members = element.members, !members.isEmpty else {
      report(
        "an operation must be a word like `dismiss`, or a map like `{ push: SCREEN }`, not \(described(element))",
        at: element.position)
      return []
    }
    guard let word = operationWord(in: members) else {
      let former = members.first { OperationWord.former[$0.name] != nil }
      report(
        former.flatMap { former in OperationWord.former[former.name].map { "the operation `\(former.name)` is now `\($0.rawValue)`" } }
          ?? "there is no operation `\(members[0].name)`; the operations are \(english(OperationWord.names.sorted(), "and"))",
        at: former?.position ?? members[0].position)
      return []
    }
    let (name, table) = (word.rawValue, word.table)
    let others = members.filter { OperationWord(rawValue: $0.name) != nil && !table.names.contains($0.name) }
    for other in others {
      report("a map can have only one operation, not `\(name)` and `\(other.name)`; write a list", at: other.position)
    }
    var strangers = Set(others.map(\.name))
    // Reports members of the step that were written next to `end` instead of in its map.
    if word == .end, let step = members.first(where: { $0.name == name })?.element.text {
      for member in members where member.name != name && MemberTable.step.names.contains(member.name) {
        report("put `\(member.name)` into the map of `\(name)`: `\(name): { step: \(step), \(member.name): … }`", at: member.position)
        strangers.insert(member.name)
      }
    }
    let rest = Element(content: .map(members.filter { !strangers.contains($0.name) }), position: element.position)
    guard let fields = fields(of: rest, "`\(name)`", table), let value = fields[name] else { return [] }
    return operations(word, value, fields, in: scope)
  }

  private func bareOperation(_ word: String, _ element: Element, in scope: Surroundings) -> Operation? {
    let position = element.position
    switch word {
    case "dismiss": return .dismiss(nil)
    case "finish": return finish(Element(content: .scalar(.null), position: position), in: scope)
    case "popToRoot": return .popToRoot
    case "proceed": return .proceed
    case "pop": return .pop(count: 1)
    case "logout": return .logout
    case "forget": return .forget
    default:
      if word == "none" {
        report("there is no operation `none`; write `[]` for a handler that does nothing", at: position)
      } else if OperationWord(rawValue: word) != nil {
        report("`\(word)` needs a value: `{ \(word): … }`", at: position)
      } else if let meant = NearestName.of(word, among: OperationWord.names) {
        report("there is no operation `\(word)`; did you mean `\(meant)`?", at: position)
      } else {
        report(
          "there is no operation `\(word)`; the operations without a value are \(english(OperationWord.alone.map(\.rawValue), "and"))",
          at: position)
      }
      return nil
    }
  }

  private func operationWord(in members: [Element.Member]) -> OperationWord? {
    let names = members.map(\.name)
    return OperationWord.leading.first { names.contains($0.rawValue) }
      ?? names.lazy.compactMap(OperationWord.init(rawValue:)).first
      ?? names.lazy.filter { OperationWord.former[$0] == nil }.compactMap { NearestName.of($0, among: OperationWord.names) }
      .compactMap(OperationWord.init(rawValue:)).first
  }

  /// Returns an operation that does not take a value. If a value is written, as in `{ dismiss: true }`, reports the value and returns
  /// `nil`.
  func withoutValue(_ operation: Operation, _ word: OperationWord, _ value: Element) -> Operation? {
    if value.isNull { return operation }
    report("`\(word.rawValue)` does not take a value; write only `\(word.rawValue)`", at: value.position)
    return nil
  }

  /// Whether the current flow has the container that an operation requires. Reports a different container.
  func needs(_ container: Node.Kind, _ operation: OperationWord, _ fields: Fields) -> Bool {
    guard let flow, let present = flow.container, present != container else { return true }
    report(
      "`\(operation.rawValue)` is allowed only in a flow with `\(container.rawValue)`, but `\(flow.name)` has `\(present.rawValue)`",
      at: fields.position(of: operation.rawValue))
    return false
  }

  /// Reads `of: flow | screen`. Returns `usual` if the member is missing or invalid.
  func anchor(_ fields: Fields, _ usual: Operation.Anchor) -> Operation.Anchor { word(fields["of"], "`of`") ?? usual }

  /// Reads `pop: NUMBER`. Returns `nil` after reporting an error.
  func pop(_ value: Element) -> Operation? {
    if case .scalar(.integer(let count)) = value.content, count > 0 { return .pop(count: count) }
    report("`pop` must be a whole number of at least 1, or have no value, not \(described(value))", at: value.position)
    return nil
  }

  /// Reads `select: NUMBER | $PARAM | PLACE`. Returns `nil` after reporting an error.
  func select(_ value: Element, in scope: Surroundings) -> Operation? {
    if !names.mayHave(.tabs) { report("`select` has no tabs to select from: no flow has `tabs`", at: value.position) }
    if value.members != nil {
      return places.place(value, "`select`", in: scope).map { .select(.flow($0)) }
    }
    switch value.content {
    case .scalar(.integer(let index)) where index >= 0: return .select(.index(.literal(.integer(index))))
    case .scalar(.string(let text)) where names.isKnown(.flow, text): return .select(.flow(.flow(text)))
    case .scalar(.string(let text)) where text.hasPrefix("$"):
      guard let expression = expressions.expression(value, in: scope) else { return nil }
      expressions.check(expression, fits: ParameterDefinition(.integer), "`select`", at: value.position, in: scope)
      return .select(.index(expression))
    default:
      report(
        "`select` must be a tab's number (from 0), a reference like `$index`, or a flow's name, not \(described(value))", at: value.position
      )
      return nil
    }
  }

  /// Reads `finish: { NAME: VALUE, … }`. The values must match the flow's `gives`. Returns `nil` after reporting an error.
  func finish(_ value: Element, in scope: Surroundings) -> Operation? {
    guard let flow, let declared = names.flow(flow.name) else { return nil }
    return .give(
      expressions.arguments(value, for: declared.gives, of: "the result of `\(flow.name)`", at: value.position, in: scope, by: "finish"))
  }
}
