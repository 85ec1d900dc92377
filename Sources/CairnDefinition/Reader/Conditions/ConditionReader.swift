import CairnCore

/// Reads conditions: tests of values, of open nodes and of the time, and combinations of conditions.
struct ConditionReader: PartReader {
  let context: ReaderContext

  /// Reads a condition. Returns `nil` after reporting an error.
  func condition(_ element: Element, in scope: Surroundings) -> Guard? {
    guard let members = element.members else {
      report("a condition must be a map like `{ fact: NAME, is: VALUE }`, not \(described(element))", at: element.position)
      return nil
    }
    let values = MemberTable.valueSubjects
    let present = members.map(\.name).filter(MemberTable.subjects.contains)
    let subject = present.first(where: values.contains) ?? present.first
    guard let subject = subject ?? members.lazy.compactMap({ NearestName.of($0.name, among: MemberTable.subjects) }).first
    else {
      report("a condition needs one of \(english(MemberTable.subjects, "or"))", at: element.position)
      return nil
    }
    let table = MemberTable.condition(on: subject)
    if let second = members.first(where: {
      MemberTable.subjects.contains($0.name) && $0.name != subject && !table.names.contains($0.name)
    }) {
      report("`\(subject)` and `\(second.name)` are two conditions; combine them with `all: [..]` or `any: [..]`", at: second.position)
      return nil
    }
    guard let fields = fields(of: element, "a condition on `\(subject)`", table), let value = fields[subject]
    else { return nil }
    switch subject {
    case "fact": return factCondition(value, fields, in: scope)
    case "param": return paramCondition(value, fields, in: scope)
    case "content": return contentCondition(value, fields, in: scope)
    case "result": return resultCondition(value, fields, in: scope)
    case "visible": return screens(value, "`visible`", fields, in: scope).map { .visible($0, with: $1) }
    case "screen": return screens(value, "`screen`", fields, in: scope).map { .screen($0, with: $1) }
    case "flow": return places.place(.flow, value, with: fields["with"], in: scope).map { .flow($0.name, with: $0.with) }
    case "passed": return passed(value, fields, in: scope)
    case "between": return between(value, fields, in: scope)
    case "all": return conditions(value, "`all`", in: scope).map(Guard.all)
    case "any": return conditions(value, "`any`", in: scope).map(Guard.any)
    default: return condition(value, in: scope).map(Guard.not)
    }
  }

  private func passed(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Guard? {
    let before = fields["before"].map { duration($0, "`before`") } ?? 0
    guard let moment = timers.moment(value, "`passed`", in: scope), let before else { return nil }
    return .passed(moment, before: before)
  }

  private func between(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Guard? {
    let zone = timers.zone(fields["zone"], "a condition on `between`", at: value.position, in: scope)
    guard let times = value.list, times.count == 2 else {
      report("`between` must be two times of day like `[\"22:00\", \"06:00\"]`, not \(described(value))", at: value.position)
      return nil
    }
    guard let start = timers.timeOfDay(times[0], "`between`"), let end = timers.timeOfDay(times[1], "`between`"), let zone else {
      return nil
    }
    return .between(start, end, zone: zone)
  }

  private func conditions(_ element: Element, _ what: String, in scope: Surroundings) -> [Guard]? {
    let elements = list(element, what)
    if elements.isEmpty && (element.list != nil || element.isNull) { report("\(what) needs at least one condition", at: element.position) }
    let guards = elements.map { condition($0, in: scope) }
    let whole = guards.compactMap(\.self)
    return whole.count == guards.count ? whole : nil
  }

  private func factCondition(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Guard? {
    guard let text = text(value, "`fact`"), let fact = facts.use(of: text, at: value.position, in: scope) else { return nil }
    guard let (test, isNegated) = tests.test(fields, in: scope) else { return nil }
    if fact.name == FactDefinition.accessToken {
      guard test == .present || test == .absent else {
        report("`accessToken` can be tested only with `is: present` or `is: absent`", at: value.position)
        return nil
      }
    } else {
      tests.check(test, of: fact.type, "the fact `\(fact.name)`", fields, in: scope)
    }
    let condition: Guard = fact.isOfFlow ? .flowFact(fact.name, test) : .fact(fact.name, test)
    return isNegated ? .not(condition) : condition
  }

  private func paramCondition(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Guard? {
    guard let text = text(value, "`param`"), let name = references.param(text, at: value.position, in: scope.readingSecrets) else {
      return nil
    }
    guard let (test, isNegated) = tests.test(fields, in: scope) else { return nil }
    tests.check(test, of: scope.params?[name], "the param `\(name)`", fields, in: scope)
    return isNegated ? .not(.param(name, test)) : .param(name, test)
  }

  private func contentCondition(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Guard? {
    guard let text = text(value, "`content`") else { return nil }
    var holder: Place?
    if let of = fields["of"] {
      guard let place = places.place(of, "`of`", in: scope) else { return nil }
      holder = place
    } else if !scope.hasContent {
      report("`content` cannot be read here, because the sender is not a screen; name a screen or flow with `of: NAME`", at: value.position)
      return nil
    }
    if text == "status" {
      if fields["is"] == nil && fields["not"] == nil {
        report("a condition on `status` needs `is` with `idle`, `loading`, `loaded` or `failed`", at: value.position)
      }
      let isNegated = fields["not"] != nil
      let status: ContentStatus? = word(fields["is"] ?? fields["not"], "the status of `content`")
      return status.map { isNegated ? .not(.status($0, of: holder)) : .status($0, of: holder) }
    }
    let path = ReferenceReader.members(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    if path.contains("") { report("`content` must be a path like `a.b`, not `\(text)`", at: value.position) }
    guard let (test, isNegated) = tests.test(fields, in: scope), references.hasParams(of: path, at: value.position, in: scope) else {
      return nil
    }
    if secrets.isSecret(path, among: names.secretMembers) {
      tests.check(test, of: SecretSources.type, "the content `\(text)`", fields, in: scope)
    }
    return isNegated ? .not(.content(path, test, of: holder)) : .content(path, test, of: holder)
  }

  private func resultCondition(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Guard? {
    guard let text = text(value, "`result`") else { return nil }
    guard scope.hasResult else {
      report("`result` can be tested only in `until` of a load", at: value.position)
      return nil
    }
    let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path.contains("") { report("`result` must be a path like `a.b`, not `\(text)`", at: value.position) }
    guard let (test, isNegated) = tests.test(fields, in: scope) else { return nil }
    return isNegated ? .not(.result(path, test)) : .result(path, test)
  }

  /// Reads the screens of a condition, and the params that they must have. Returns `nil` after reporting an error.
  private func screens(
    _ value: Element, _ subject: String, _ fields: Fields, in scope: Surroundings
  ) -> ([String], [String: Expression])? {
    var screens: [String] = []
    let elements = oneOrMore(value)
    if elements.isEmpty { report("`\(subject)` needs at least one screen", at: value.position) }
    for element in elements { if let screen = name(element, of: .screen) { screens.append(screen) } }
    // The params of an unknown screen are unknown too, so no param in `with` is reported as unknown.
    let owners = screens.map { names.params(ofScreen: $0) } + (screens.count < elements.count ? [nil] : [])
    guard let with = places.nodeParams(fields["with"], of: owners, "no screen of this condition has a param", in: scope) else { return nil }
    return screens.count == elements.count && !screens.isEmpty ? (screens, with) : nil
  }
}

extension Guard {
  /// Whether the condition compares the time of the action with a moment or with times of day.
  package var readsTime: Bool {
    switch self {
    case .passed, .between: true
    case .all(let guards), .any(let guards): guards.contains(where: \.readsTime)
    case .not(let inner): inner.readsTime
    case .fact, .flowFact, .param, .content, .status, .result, .visible, .screen, .flow: false
    }
  }
}
