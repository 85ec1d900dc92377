import CairnCore

extension DefinitionReader {
  /// Reads a literal, a `$reference`, a template where the scope allows them, or a list or map of these. Returns `nil` after reporting an
  /// invalid reference.
  func expression(_ element: Element, in scope: Surroundings) -> Expression? {
    switch element.content {
    case .scalar(.string(let text)): return expression(text, at: element.position, in: scope)
    case .scalar(let value): return .literal(value)
    case .list(let elements):
      let expressions = elements.map { expression($0, in: scope) }
      let whole = expressions.compactMap(\.self)
      guard whole.count == expressions.count else { return nil }
      return literal(of: whole).map { .literal(.array($0)) } ?? .array(whole)
    case .map(let members):
      var whole: [String: Expression] = [:]
      for member in members { whole[member.name] = expression(member.element, in: scope) }
      guard whole.count == members.count else { return nil }
      let names = whole.keys.sorted()
      guard let values = literal(of: names.compactMap { whole[$0] }) else { return .object(whole) }
      return .literal(.object(Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })))
    }
  }

  private func literal(of expressions: [Expression]) -> [Value]? {
    let values = expressions.compactMap { if case .literal(let value) = $0 { value } else { nil } }
    return values.count == expressions.count ? values : nil
  }

  private func expression(_ text: String, at position: Position, in scope: Surroundings) -> Expression? {
    if text.hasPrefix("$$") { return .literal(.string(String(text.dropFirst()))) }
    if text.hasPrefix("$") { return reference(String(text.dropFirst()), at: position, in: scope).map(Expression.reference) }
    guard scope.hasTemplates, text.contains("{") else { return .literal(.string(text)) }
    var parts: [Expression.Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open != rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        report("{ must be closed by }, as in {name}, which inserts a value", at: position)
        return nil
      }
      guard let reference = reference(String(rest[rest.index(after: open)..<close]), at: position, in: scope) else { return nil }
      parts.append(.reference(reference))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return .template(parts)
  }

  /// Reads the text of a reference, which follows `$` or is enclosed in `{}`. Returns `nil` after reporting an error.
  private func reference(_ text: String, at position: Position, in scope: Surroundings) -> Reference? {
    if scope.isMigration, reportUnlessReadable(text, at: position) { return nil }
    if text.hasPrefix("content(") { return contentOfPlace(text, at: position, in: scope) }
    let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let first = path.first, !path.contains("") else {
      report("$\(text) is not a reference; write $$ for a literal $", at: position)
      return nil
    }
    let rest = Array(path.dropFirst())
    switch first {
    case "content":
      if scope.hasContent { return content(rest, of: nil, at: position, in: scope) }
      report("$\(text) cannot be read here, because the sender is not a screen; name a screen or flow: $content(NAME)", at: position)
    case "result":
      if scope.hasResult { return result(rest, at: position, in: scope) }
      report("$\(text) can be used only in then of a load or of a flow that finishes", at: position)
    case "error" where path.count > 1: return error(rest, at: position, in: scope)
    case "fact": return fact(rest, at: position)
    case "screen" where !rest.isEmpty: return ofScreen(rest, at: position, in: scope)
    case "oauth":
      if rest == ["authorizeUrl"], names.hasOAuth {
        if !scope.isPage {
          reportUnlessStored(
            "$\(text) can be used only in with or content of the screen that is created: its login is valid while that screen exists",
            at: position)
        }
        return .authorizeURL
      }
      report(
        names.hasOAuth ? "$\(text) is unknown; use $oauth.authorizeUrl" : "$\(text) needs an oauth section", at: position)
    default:
      if path.count == 1 { return param(first, at: position, in: scope).map(Reference.param) }
      let meant = NearestName.of(first, among: Surroundings.beginnings).map { "; did you mean $\(([$0] + rest).joined(separator: "."))?" }
      report("$\(text) is unknown\(meant ?? "; a path must begin with $content, $screen, $fact or $result")", at: position)
    }
    return nil
  }

  /// Reports a reference to something other than a param or a fact of the old definition. Returns whether it has reported one.
  private func reportUnlessReadable(_ text: String, at position: Position) -> Bool {
    let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path.count == 2, path[0] == "fact", FactDefinition.ofApp[path[1]] != nil, !names.facts.keys.contains(path[1]) {
      report("the old definition has no fact \(path[1])", at: position)
      return true
    }
    let isParam = path.count == 1 && !Surroundings.words.contains(path[0])
    guard text.hasPrefix("content(") || !(isParam || path[0] == "fact" && path.count > 1 || path.contains("")) else { return false }
    report("$\(text) cannot be read by a migration; a value must be a literal, $PARAM, $fact.NAME, or a list or map of these", at: position)
    return true
  }

  /// Reads `content(NAME).a.b`, or `content(NAME, PARAM: VALUE, …).a.b`: a path into the content of the nearest node at that place. Returns `nil` after
  /// reporting an error.
  private func contentOfPlace(_ text: String, at position: Position, in scope: Surroundings) -> Reference? {
    let end = text.firstIndex(of: ")").map { text.index(after: $0) }
    guard let end, end == text.endIndex || text[end] == ".", !text.hasSuffix("."), !text.contains("..") else {
      report("$\(text) is unknown; the content of a screen or flow is $content(NAME).a.b", at: position)
      return nil
    }
    let parts = text[..<end].dropFirst("content(".count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
    var members: [Element.Member] = []
    for part in parts.dropFirst() {
      let halves = part.split(separator: ":", maxSplits: 1).map(\.bare)
      guard halves.count == 2, case .success(let value) = CoreScalar.value(of: halves[1]) else {
        report("$\(text) is unknown; with params it is $content(NAME, PARAM: VALUE).a.b", at: position)
        return nil
      }
      members.append(Element.Member(name: halves[0], position: position, element: Element(content: .scalar(value), position: position)))
    }
    let name = Element(content: .scalar(.string(parts[0].bare)), position: position)
    guard let place = place(nil, name, with: Element(content: .map(members), position: position), in: scope) else { return nil }
    let path = text[end...].split(separator: ".").map(String.init)
    return content(path, of: place, at: position, in: scope)
  }

  /// Returns a reference to a path into content; `nil`, after reporting it, if a segment like `$member` names no param.
  private func content(_ path: [String], of place: Place?, at position: Position, in scope: Surroundings) -> Reference? {
    hasParams(of: path, at: position, in: scope) ? .content(path, of: place) : nil
  }

  /// Whether each `$member` in a path into content is a param of the scope. Reports the others.
  func hasParams(of path: [String], at position: Position, in scope: Surroundings) -> Bool {
    var scope = scope
    scope.mayReadSecrets = false
    return path.allSatisfy { !$0.hasPrefix("$") || param(String($0.dropFirst()), at: position, in: scope) != nil }
  }

  /// Reads `error.status` or `error.reason`. Reports any other path and returns `nil`.
  private func error(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    let text = path.joined(separator: ".")
    if !scope.hasError {
      report("$error.\(text) can be used only in else of a load", at: position)
    } else if path == ["status"] || path == ["reason"] {
      return .error(text)
    } else {
      report("$error.\(text) is unknown; use $error.status or $error.reason", at: position)
    }
    return nil
  }

  private func fact(_ path: [String], at position: Position) -> Reference? {
    guard let name = path.first, path.count == 1 else {
      report("$fact must be followed by one name, like $fact.\(path.first ?? "onBoarded")", at: position)
      return nil
    }
    guard name != FactDefinition.accessToken else {
      report("the access token cannot be read; a load sends it with bearer: accessToken", at: position)
      return nil
    }
    return factName(name, at: position).map(Reference.fact)
  }

  /// A param of the scope. Reports an unknown param and returns `nil`.
  func param(_ name: String, at position: Position, in scope: Surroundings) -> String? {
    if isReportedSecret(scope.params?[name]?.isSecret == true, name, at: position, in: scope) { return nil }
    guard let params = scope.params, params[name] == nil else { return name }
    let known = names.known(params, of: scope.owner)
    reportUnknown(.param, "\(scope.owner) \(name)", at: position) {
      if name.last == "?", params[String(name.dropLast())] != nil { return "there is no param \(name): write \(name.dropLast())" }
      if let meant = known.nearest(to: name) { return "there is no param \(name); did you mean \(meant)?" }
      if params.isEmpty { return "there is no param \(name): \(scope.owner)\(scope.isEmptyOwner ? " has none" : "")" }
      return "there is no param \(name); \(scope.owner) has \(listed(known.sorted))"
    }
    return nil
  }

  /// The kind of an expression's value; `nil` if it is unknown.
  func kind(of expression: Expression, in scope: Surroundings) -> ParameterDefinition.Kind? {
    switch expression {
    case .literal, .array, .object: nil
    case .template: .string
    case .reference(.param(let name)): scope.hasCaptures ? nil : scope.params?[name].map(\.kind)
    case .reference(.fact(let name)): names.fact(name)?.type.kind
    case .reference(.authorizeURL): .string
    case .reference(.screen(let path)): path.count == 1 ? kind(ofScreenParam: path[0]) : nil
    case .reference(.error(let member)): member == "status" ? .integer : .string
    case .reference(.result(let path)): path.count == 1 ? scope.result?[path[0]].map(\.kind) : nil
    case .reference(.content): nil
    }
  }

  /// Reports an expression whose value cannot have the required type.
  func check(
    _ expression: Expression, fits type: ParameterDefinition, _ what: String, at position: Position, in scope: Surroundings
  ) {
    if type.isSecret { return checkSecret(expression, fits: type, what, at: position, in: scope) }
    switch expression {
    case .literal(.null) where type.isOptional: break
    case .literal(let value):
      if let fault = type.fault(of: value) { report("\(what) \(fault)", at: position) }
    case .array, .object:
      let given = if case .array = expression { "array" } else { "object" }
      if type.kind != .any { report("\(what) must be of type \(type.kind.rawValue), not \(given)", at: position) }
    case .template, .reference:
      guard let given = kind(of: expression, in: scope), given != .any, type.kind != .any, given != type.kind else { return }
      if given == .integer && type.kind == .number { return }
      report("\(what) must be of type \(type.kind.rawValue), not \(given.rawValue)", at: position)
    }
  }
}

extension Substring {
  /// The text without blanks around it.
  fileprivate var bare: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
