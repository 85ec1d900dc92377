import CairnCore

// The operands of a test.
extension DefinitionReader {
  /// Reads `in`: a list of values, or the name of a set. Returns `nil` after reporting an error.
  func values(_ element: Element) -> ValueSet? {
    if element.text != nil { return name(element, of: .set).flatMap { names.sets[$0] ?? nil } }
    guard let list = element.list, !list.isEmpty else {
      report("in must be a list of values or the name of a set", at: element.position)
      return nil
    }
    return ValueSet(list.map(\.value))
  }

  /// Reads `over` or `under`: a number, a duration, which becomes whole milliseconds, or a reference. Returns `nil` after reporting an error.
  func bound(_ element: Element, _ word: String, in scope: Surroundings) -> Expression? {
    switch element.content {
    case .scalar(.integer), .scalar(.number): return .literal(element.value)
    case .scalar(.string(let text)) where text.hasPrefix("$"): return expression(element, in: scope)
    case .scalar(.string(let text)):
      if let duration = DurationText.milliseconds(text) { return .literal(.integer(duration)) }
    case .scalar, .list, .map: break
    }
    report("\(word) must be a number, a duration like 2m or a $reference, not \(described(element))", at: element.position)
    return nil
  }

  /// Reads `$screen.a.b`, a param of the sending screen. That screen is only known at run time, so any screen may have the param. Returns `nil` after reporting
  /// a param that no screen has.
  func ofScreen(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    guard scope.hasContent else {
      report("$screen.\(path.joined(separator: ".")) cannot be read here, because the sender is not a screen", at: position)
      return nil
    }
    let all = names.screens.values
    guard !all.contains(where: { $0 == nil }), !names.unreadable.contains(.screen), !all.contains(where: { $0?[path[0]] != nil }) else {
      return isReportedSecret(isSecret(screenParam: path[0]), "screen.\(path[0])", at: position, in: scope) ? nil : .screen(path)
    }
    let known = Set(all.flatMap { ($0 ?? [:]).keys }).sorted()
    let meant = NearestName.of(path[0], among: known).map { "; did you mean \($0)?" } ?? ""
    report("no screen has a param \(path[0])\(meant)", at: position)
    return nil
  }

  /// The kind of a param if it is the same in all screens that have the param; otherwise `nil`.
  func kind(ofScreenParam name: String) -> ParameterDefinition.Kind? {
    let kinds = Set(names.screens.values.compactMap { $0?[name]?.kind })
    return kinds.count == 1 ? kinds.first : nil
  }
}
