import CairnCore

/// Reads the types of params and facts.
struct TypeReader: PartReader {
  let context: ReaderContext

  /// Reads the params of a screen, flow or step, or the members of a result, which cannot be secret. Returns `nil` after reporting an invalid param.
  func params(
    _ members: [Element.Member], of owner: String, mayBeSecret: Bool = true
  ) -> [String: ParameterDefinition]? {
    var params: [String: ParameterDefinition] = [:]
    var isComplete = true
    for member in members {
      if Surroundings.words.contains(member.name) {
        report(
          "a param cannot be named `\(member.name)`, because `$\(member.name)` has another meaning; use another name", at: member.position)
        isComplete = false
      } else if isName(member, .param), let type = type(member.element, "the param `\(member.name)`", mayBeSecret: mayBeSecret) {
        params[member.name] = type
      } else {
        isComplete = false
      }
    }
    return isComplete ? params : nil
  }

  /// Reads `integer`, `optional integer`, `list of integer`, or a map with `type` and further members. Returns `nil` after reporting an error.
  func type(_ element: Element, _ what: String, mayBeSecret: Bool = false) -> ParameterDefinition? {
    if let text = element.text {
      let isOptional = text.hasPrefix(ParameterDefinition.optionalWord)
      let word = isOptional ? String(text.dropFirst(ParameterDefinition.optionalWord.count)) : text
      let item = word.hasPrefix(ParameterDefinition.listWord) ? String(word.dropFirst(ParameterDefinition.listWord.count)) : nil
      guard let kind = item == nil ? kind(word, what, at: element.position) : .list else { return nil }
      var type = ParameterDefinition(kind, isOptional: isOptional)
      guard kind == .list else { return type }
      type.bounds = lists.bounds(of: Element(content: .scalar(.string(item ?? "any")), position: element.position), what)
      return type.bounds == nil ? nil : type
    }
    guard element.members != nil else {
      report("\(what) must be a type: \(kinds), not \(described(element))", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, what, .type),
      let typeElement = fields["type"], let typeText = text(typeElement, "`type`"),
      var type = self.type(Element(content: .scalar(.string(typeText)), position: typeElement.position), what)
    else { return nil }
    if flag(fields["secret"], "`secret`") { type.isSecret = secrets.isSecretType(type, what, fields, mayBeSecret: mayBeSecret) }
    if type.isSecret { return type }
    if type.kind == .list {
      guard let bounds = lists.bounds(fields, of: type, what) else { return nil }
      type.bounds = bounds
    } else {
      if fields["of"] != nil {
        report("`of` is for lists, but \(what) is of type \(type.kind.rawValue); write `type: list`", at: fields.position(of: "of"))
      }
      type.bounds = bounds.read(fields, of: type, what)
    }
    if let set = fields["in"] { type.allowed = allowed(set, type, what) }
    if let element = fields["default"] {
      if let fault = type.fault(of: element.value) {
        report(ListReader.sentence("the default of \(what)", fault), at: element.position)
      } else {
        type.defaultValue = element.value
      }
    }
    return type
  }

  private var kinds: String { english(ParameterDefinition.Kind.allCases.map(\.rawValue), "or") }

  private func kind(_ text: String, _ what: String, at position: Position) -> ParameterDefinition.Kind? {
    if let kind = ParameterDefinition.Kind(rawValue: text) { return kind }
    if text.hasSuffix("?"), ParameterDefinition.Kind(rawValue: String(text.dropLast())) != nil {
      report("there is no type `\(text)`; write `\(ParameterDefinition.optionalWord)\(text.dropLast())`", at: position)
      return nil
    }
    let aliases = ["array": "list", "int": "integer", "bool": "boolean", "double": "number", "float": "number", "text": "string"]
    let meant = aliases[text] ?? NearestName.of(text, among: ParameterDefinition.Kind.allCases.map(\.rawValue))
    report("there is no type `\(text)`; " + (meant.map { "did you mean `\($0)`?" } ?? "\(what) may be \(kinds)"), at: position)
    return nil
  }

  private func allowed(_ element: Element, _ type: ParameterDefinition, _ what: String) -> ValueSet? {
    if element.text != nil {
      guard let name = name(element, of: .set), let set = names.sets[name] ?? nil else { return nil }
      if let wrong = names.misfit(in: set, of: type) {
        let fault = type.fault(of: wrong) ?? ""
        report("the set `\(name)` contains `\(wrong.shortText)`, but \(what) \(fault)", at: element.position)
      }
      return set
    }
    guard let list = element.list, !list.isEmpty else {
      report("`in` must be a list of values or the name of a set", at: element.position)
      return nil
    }
    for element in list {
      if let fault = type.fault(of: element.value) { report("a value of \(what) \(fault)", at: element.position) }
    }
    return ValueSet(list.map(\.value))
  }
}

extension ParameterDefinition {
  /// The prefix of an optional type, as in `optional integer`. It is a word because some YAML parsers require quotes around a sign such as `?`.
  static let optionalWord = "optional "

  /// The prefix of the type of a list whose items have a type, as in `list of integer`.
  static let listWord = "list of "

  /// The types of lists whose items have a type, such as `list of integer`.
  static let listWords = Kind.allCases.filter { $0 != .list }.map { listWord + $0.rawValue }
}
