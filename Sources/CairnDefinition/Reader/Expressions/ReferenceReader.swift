import CairnCore

/// Reads the references in expressions: params, facts, content, results and errors.
struct ReferenceReader: PartReader {
  let context: ReaderContext

  /// Reads the text of a reference, which follows `$` or is enclosed in `{}`. Returns `nil` after reporting an error.
  func reference(_ text: String, at position: Position, in scope: Surroundings) -> Reference? {
    if scope.isMigration, reportUnlessReadable(text, at: position) { return nil }
    if text.hasPrefix("content(") { return contentOfPlace(text, at: position, in: scope) }
    let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let first = path.first, !path.contains("") else {
      report("`$\(text)` is not a reference; write `$$` for a literal `$`", at: position)
      return nil
    }
    let rest = first == "content" ? Self.members(Array(path.dropFirst())) : Array(path.dropFirst())
    switch first {
    case "content":
      if scope.hasContent { return content(rest, of: nil, at: position, in: scope) }
      report("`$\(text)` cannot be read here, because the sender is not a screen; name a screen or flow: `$content(NAME)`", at: position)
    case "result":
      if scope.hasResult { return result(rest, at: position, in: scope) }
      report("`$\(text)` can be used only in `then` of a load, of a message, or of a flow that finishes", at: position)
    case "error" where path.count > 1: return error(rest, at: position, in: scope)
    case "fact": return fact(rest, at: position, in: scope)
    case "flow" where !rest.isEmpty: return facts.param(rest, at: position, in: scope)
    case "screen" where !rest.isEmpty: return ofScreen(rest, at: position, in: scope)
    case "seen" where !rest.isEmpty:
      if rest == ["first"], scope.hasSight { return .isFirstSight }
      report(
        rest == ["first"] ? "`$seen.first` can be used only in `with` of the step in `seen`" : "`$\(text)` is unknown; use `$seen.first`",
        at: position)
    case "oauth":
      if rest == ["authorizeUrl"], names.hasOAuth {
        if !scope.isPage {
          reportUnlessStored(
            "`$\(text)` can be used only in `with` or `content` of the screen that is created, because the login is valid only while that screen exists",
            at: position)
        }
        return .authorizeURL
      }
      report(
        names.hasOAuth ? "`$\(text)` is unknown; use `$oauth.authorizeUrl`" : "`$\(text)` needs an `oauth` section", at: position)
    default:
      if path.count == 1 { return param(first, at: position, in: scope).map(Reference.param) }
      let meant = NearestName.of(first, among: Surroundings.beginnings).map { "; did you mean `$\(([$0] + rest).joined(separator: "."))`?" }
      report(
        "`$\(text)` is unknown\(meant ?? "; a path must begin with `$content`, `$screen`, `$flow`, `$fact` or `$result`")", at: position)
    }
    return nil
  }

  /// Reports a reference of a migration unless it reads a param or a fact of the old definition. Returns `true` if it has reported the
  /// reference.
  private func reportUnlessReadable(_ text: String, at position: Position) -> Bool {
    let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path.count == 2, path[0] == "fact", FactDefinition.ofApp[path[1]] != nil, !names.facts.keys.contains(path[1]) {
      report("the old definition has no fact `\(path[1])`", at: position)
      return true
    }
    let isParam = path.count == 1 && !Surroundings.words.contains(path[0])
    guard text.hasPrefix("content(") || !(isParam || path[0] == "fact" && path.count > 1 || path.contains("")) else { return false }
    report(
      "`$\(text)` cannot be read by a migration; a value must be a literal, `$PARAM`, `$fact.NAME`, or a list or map of these", at: position
    )
    return true
  }

  /// Reads `content(NAME).a.b`, or `content(NAME, PARAM: VALUE, …).a.b`: a path into the content of the nearest node at that place. Returns `nil` after
  /// reporting an error.
  private func contentOfPlace(_ text: String, at position: Position, in scope: Surroundings) -> Reference? {
    let end = text.firstIndex(of: ")").map { text.index(after: $0) }
    guard let end, end == text.endIndex || text[end] == ".", !text.hasSuffix("."), !text.contains("..") else {
      report("`$\(text)` is unknown; the content of a screen or flow is `$content(NAME).a.b`", at: position)
      return nil
    }
    let parts = text[..<end].dropFirst("content(".count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
    var members: [Element.Member] = []
    for part in parts.dropFirst() {
      let halves = part.split(separator: ":", maxSplits: 1).map(\.bare)
      guard halves.count == 2, case .success(let value) = CoreScalar.value(of: halves[1]) else {
        report("`$\(text)` is unknown; with params it is `$content(NAME, PARAM: VALUE).a.b`", at: position)
        return nil
      }
      members.append(Element.Member(name: halves[0], position: position, element: Element(content: .scalar(value), position: position)))
    }
    let name = Element(content: .scalar(.string(parts[0].bare)), position: position)
    guard let place = places.place(nil, name, with: Element(content: .map(members), position: position), in: scope) else { return nil }
    let path = Self.members(text[end...].split(separator: ".").map(String.init))
    return content(path, of: place, at: position, in: scope)
  }

  /// Returns a reference to a path into content. Reports a segment like `$member` that names no param, and returns `nil`.
  private func content(_ path: [String], of place: Place?, at position: Position, in scope: Surroundings) -> Reference? {
    let isSecret = secrets.isSecret(path, among: names.secretMembers)
    if secrets.isReportedSecret(isSecret, "content.\(path.joined(separator: "."))", at: position, in: scope) { return nil }
    return hasParams(of: path, at: position, in: scope) ? .content(path, of: place) : nil
  }

  /// Whether each `$member` in a path into content is a param of the scope. Reports the first `$member` that is not a param.
  func hasParams(of path: [String], at position: Position, in scope: Surroundings) -> Bool {
    var scope = scope
    scope.mayReadSecrets = false
    return path.allSatisfy { !$0.hasPrefix("$") || member($0, at: position, in: scope) != nil }
  }

  /// The members of a path into content. `$screen` and `$flow` are joined with the name of the param that follows.
  static func members(_ parts: [String]) -> [String] {
    var members: [String] = []
    for part in parts {
      if let last = members.last, last == "$screen" || last == "$flow" {
        members[members.count - 1] += "." + part
      } else {
        members.append(part)
      }
    }
    return members
  }

  /// Reads a member `$row`, `$screen.row` or `$flow.row` of a path into content. Returns `nil` after reporting an error.
  func member(_ member: String, at position: Position, in scope: Surroundings) -> Reference? {
    let parts = member.dropFirst().split(separator: ".").map(String.init)
    switch parts.first {
    case "screen" where parts.count == 2: return ofScreen([parts[1]], at: position, in: scope)
    case "flow" where parts.count == 2: return facts.param([parts[1]], at: position, in: scope)
    default: return param(String(member.dropFirst()), at: position, in: scope).map(Reference.param)
    }
  }

  /// Reads `error.status` or `error.reason`. Reports any other path and returns `nil`.
  private func error(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    let text = path.joined(separator: ".")
    if !scope.hasError {
      report("`$error.\(text)` can be used only in `else` of a load or message", at: position)
    } else if path == ["status"] || path == ["reason"] {
      return .error(text)
    } else {
      report("`$error.\(text)` is unknown; use `$error.status` or `$error.reason`", at: position)
    }
    return nil
  }

  private func fact(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    guard let name = path.first, path.count == 1 else {
      report("`$fact` must be followed by one name, like `$fact.\(path.first ?? "onBoarded")`", at: position)
      return nil
    }
    guard name != FactDefinition.accessToken else {
      report("the access token cannot be read; a load or message sends it with `bearer: accessToken`", at: position)
      return nil
    }
    guard let fact = facts.use(of: name, at: position, in: scope) else { return nil }
    guard fact.isOfFlow else { return .fact(name) }
    return secrets.isReportedSecret(fact.type?.isSecret == true, "fact.\(name)", at: position, in: scope) ? nil : .flowFact(name)
  }

  /// Returns the name of a param of the scope; `nil` after reporting an unknown param, or a secret that the scope must not read.
  func param(_ name: String, at position: Position, in scope: Surroundings) -> String? {
    if secrets.isReportedSecret(scope.params?[name]?.isSecret == true, name, at: position, in: scope) { return nil }
    guard let params = scope.params, params[name] == nil else { return name }
    let known = names.known(params, of: scope.owner)
    reportUnknown(.param, "\(scope.owner) \(name)", at: position) {
      if name.last == "?", params[String(name.dropLast())] != nil { return "there is no param `\(name)`: write `\(name.dropLast())`" }
      if let meant = known.nearest(to: name) { return "there is no param `\(name)`; did you mean `\(meant)`?" }
      if params.isEmpty { return "there is no param `\(name)`: \(scope.owner)\(scope.isEmptyOwner ? " has none" : "")" }
      return "there is no param `\(name)`; \(scope.owner) has \(listed(known.sorted))"
    }
    return nil
  }

  /// Reads `$result.name`. The name must be a member of the flow's `gives`, unless the members are unknown. Returns `nil` after reporting
  /// an error.
  private func result(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    let isSecret = secrets.isSecret(path, among: scope.secretResult)
    if secrets.isReportedSecret(isSecret, "result.\(path.joined(separator: "."))", at: position, in: scope) { return nil }
    guard let result = scope.result, let name = path.first, result[name] == nil else { return .result(path) }
    let owner = "the result of `\(scope.resultOwner)`"
    let known = names.known(result, of: owner)
    reportUnknown(.param, "\(owner) \(name)", at: position) {
      let meant = known.nearest(to: name).map { "did you mean `\($0)`?" }
      return "\(owner) has no `\(name)`; \(meant ?? (result.isEmpty ? "it has no members" : "it has \(listed(known.sorted))"))"
    }
    return nil
  }

  /// Reads `$screen.a.b`, a param of the sending screen. The sending screen is known only at run time, so the reference is valid if any screen has the
  /// param. Returns `nil` after reporting an error.
  private func ofScreen(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    guard scope.hasContent else {
      report("`$screen.\(path.joined(separator: "."))` cannot be read here, because the sender is not a screen", at: position)
      return nil
    }
    let all = names.screens.values
    guard !all.contains(where: { $0 == nil }), !names.unreadable.contains(.screen), !all.contains(where: { $0?[path[0]] != nil }) else {
      return secrets.isReportedSecret(names.isSecret(screenParam: path[0]), "screen.\(path[0])", at: position, in: scope)
        ? nil : .screen(path)
    }
    let known = Set(all.flatMap { ($0 ?? [:]).keys }).sorted()
    let meant = NearestName.of(path[0], among: known).map { "; did you mean `\($0)`?" } ?? ""
    report("no screen has a param `\(path[0])`\(meant)", at: position)
    return nil
  }
}

extension Substring {
  /// The text without blanks around it.
  fileprivate var bare: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
