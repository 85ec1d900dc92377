import CairnCore
package import CairnDefinition

/// Reads scenario files, and reports all mistakes together.
package struct ScenarioReader {
  private let file: String
  private var problems: [Diagnostic] = []

  private init(file: String) { self.file = file }

  /// Reads the scenarios in a text. Throws an error that contains all mistakes.
  package static func read(file: String, text: String) throws(InvalidDefinition) -> ScenarioFile {
    let root = try Document.read(file: file, text: text)
    var reader = ScenarioReader(file: file)
    let scenarios = reader.scenarioFile(of: root)
    guard reader.problems.isEmpty else { throw InvalidDefinition(diagnostics: reader.problems) }
    return scenarios
  }

  private mutating func report(_ message: String, at element: Element) {
    problems.append(Diagnostic(.error, file: file, line: element.position.line, column: element.position.column, message))
  }

  private mutating func scenarioFile(of root: Element) -> ScenarioFile {
    let members = fields(of: root, known: ["app", "migration", "scenarios", "given", "claims"])
    var given = Scenario.Given()
    if let element = members["given"] { given = read(given: element, over: given) }
    let scenarios = members["scenarios"].flatMap { list(of: $0) } ?? []
    var line = root.position.line
    let lines = scenarios.map { element in
      // A YAML alias has the position of its anchor, which is earlier in the file.
      line = max(line, element.position.line)
      return line
    }
    let cases = read(scenarios, given: given, lines: lines)
    if members["app"] == nil { report("`app` is missing; it must be the path of the definition, relative to this file", at: root) }
    if (members["scenarios"] ?? members["claims"]) == nil { report("`scenarios` is missing; it must be a list of scenarios", at: root) }
    return ScenarioFile(
      file: file, app: members["app"].flatMap { text(of: $0) } ?? "", migration: members["migration"].flatMap { text(of: $0) },
      given: given, claims: members["claims"], scenarios: cases)
  }

  /// Reads scenarios. A scenario is read after the scenario that it continues.
  private mutating func read(_ elements: [Element], given: Scenario.Given, lines: [Int]) -> [Scenario] {
    let names = elements.map { $0["name"]?.text ?? "" }
    let after = elements.map { $0["given"]?["after"] }
    let order = ScenarioOrder(names: names, after: after.map { $0?.text })
    for (index, fault) in order.faults.sorted(by: { $0.key < $1.key }) { report(fault, at: after[index] ?? elements[index]) }
    var read: [Int: Scenario] = [:]
    for index in elements.indices {
      // The scenario, followed by those that it continues, which must be read first.
      var pending = [index]
      while let base = order.bases[pending[pending.count - 1]], read[base] == nil { pending.append(base) }
      for index in pending.reversed() where read[index] == nil {
        let base = order.bases[index].flatMap { read[$0] }
        read[index] = scenario(of: elements[index], given: given, after: base, line: lines[index])
      }
    }
    return elements.indices.compactMap { read[$0] }
  }

  private mutating func scenario(of element: Element, given: Scenario.Given, after base: Scenario?, line: Int) -> Scenario {
    let members = fields(of: element, known: ["case", "name", "given"] + Self.phases + ["steps"])
    var scenario = Scenario(
      number: members["case"].map { $0.value.shortText }, name: members["name"].flatMap { text(of: $0) } ?? "", line: line,
      given: given, steps: [])
    if scenario.name.isEmpty { report("`name` is missing; it must be a sentence that describes the scenario", at: element) }
    if let own = members["given"] { scenario.given = read(given: own, over: given, isOfScenario: true) }
    if let base { (scenario.given, scenario.after, scenario.before) = (base.given, base.name, base.before + base.steps) }
    if let steps = members["steps"].flatMap({ list(of: $0) }) {
      scenario.steps = steps.map { step(of: $0, fields(of: $0, known: Self.phases), in: scenario) }
      if Self.phases.contains(where: { members[$0] != nil }) {
        report("a scenario must have either `steps`, or `when` and `then`", at: element)
      }
    } else {
      scenario.steps = [step(of: element, members, in: scenario)]
    }
    if !scenario.steps.contains(where: { $0.expectation != nil }) {
      report("`then` is missing; a scenario without expectations cannot fail", at: element)
    }
    return scenario
  }

  /// The members of a step. The first two cannot be combined with the last three.
  private static let phases = ["when", "then", "offline", "meanwhile", "online"]

  private mutating func step(of element: Element, _ members: [String: Element], in scenario: Scenario) -> Scenario.Step {
    let end = element.members?.first { $0.name == "then" || $0.name == "online" }
    let line = max(scenario.line, (end?.position ?? element.position).line)
    if Self.phases.dropFirst(2).contains(where: { members[$0] != nil }) { return queue(of: element, members, line: line) }
    let isOfMigration = scenario.given.definition != nil
    return Scenario.Step(
      occurrences: elements(of: members["when"]).compactMap { isOfMigration && $0.text == "migrate" ? .migrate : occurrence(of: $0) },
      expectation: members["then"].map { expectation(of: $0) }, line: line)
  }

  /// Reads a step with `offline`, `meanwhile` and `online`: the actions of a user without a network, the occurrences before their delivery,
  /// and the expectation after it.
  private mutating func queue(of element: Element, _ members: [String: Element], line: Int) -> Scenario.Step {
    if members["offline"] == nil || members["online"] == nil {
      report("`offline` needs `online`, which contains the expected results, and `online` and `meanwhile` need `offline`", at: element)
    }
    if members["when"] ?? members["then"] != nil {
      report("a step must have either `when` and `then`, or `offline`, `meanwhile` and `online`", at: element)
    }
    let taps = elements(of: members["offline"]).compactMap { tap(of: $0) }
    let others = elements(of: members["meanwhile"]).compactMap { occurrence(of: $0) }
    return Scenario.Step(
      occurrences: [.offline(taps)] + others + [.online], expectation: members["online"].map { expectation(of: $0, isOfQueue: true) },
      line: line)
  }

  /// Reads an action of a user without a network. Returns `nil` after reporting a mistake.
  private mutating func tap(of element: Element) -> Value? {
    switch occurrence(of: element) {
    case .action(let action)?: return action
    case .open(let url)?: return ["type": "open", "url": .string(url)]
    case nil: return nil
    default:
      report("must be an action that a client posts later: a step, a gesture, or `open`", at: element)
      return nil
    }
  }

  /// The elements of a member that is a list or has only one element; empty if the member is missing.
  private func elements(of member: Element?) -> [Element] { member.map { $0.list ?? [$0] } ?? [] }

  private mutating func read(given element: Element, over given: Scenario.Given, isOfScenario: Bool = false) -> Scenario.Given {
    var given = given
    let own = ["definition", "accessToken", "at", "facts", "environment", "open", "notification"]
    let members = fields(of: element, known: own + (isOfScenario ? ["after"] : []))
    if let after = members["after"] {
      _ = text(of: after)
      for name in own {
        if let other = members[name] {
          report("`after` takes the start state from the end of the other scenario; remove `\(name)`", at: other)
        }
      }
    }
    if let definition = members["definition"] { given.definition = text(of: definition) }
    if let token = members["accessToken"] { given.accessToken = token.isNull ? nil : text(of: token) }
    if let at = members["at"] { given.time = time(of: at) }
    if let facts = members["facts"].flatMap({ map(of: $0) }) { given.facts = facts }
    if let environment = members["environment"].flatMap({ map(of: $0) }) { given.environment = environment.mapValues(\.shortText) }
    if let url = members["open"].flatMap({ text(of: $0) }) { given.arrival = .open(url) }
    if let payload = members["notification"] { given.arrival = .notification(payload.value, tap: true, appState: .killed) }
    return given
  }

  /// Reads the time at which the clock starts. Returns `nil` after reporting a mistake.
  private mutating func time(of element: Element) -> Int? {
    if let time = element.text.flatMap(ISOTime.milliseconds), time >= 0 { return time }
    report("`at` must be a time with a time zone, from 1970 on, like `2026-03-01T12:00:00Z`", at: element)
    return nil
  }

  /// Reads an occurrence: an action as clients post it, or a short form. A single word is a step, except `exchanged`, `dismiss` and the actions that need no
  /// members. In a scenario that starts with another definition, `migrate` is not a step either. Returns `nil` after reporting a mistake.
  private mutating func occurrence(of element: Element) -> Scenario.Occurrence? {
    if let word = element.text {
      switch word {
      case "dismiss": return .action(["type": "dismiss"])
      case _ where Self.bareWords.contains(word): return .action(["type": .string(word)])
      case "exchanged": return .answer(RequestAnswer(.exchanged(token: "token")))
      default: return .action(["step": .string(word)])
      }
    }
    if let list = element.list {
      let actions = list.compactMap { occurrence(of: $0).flatMap { action(of: $0, at: element) } }
      if list.isEmpty { report("a list of actions must have at least one action", at: element) }
      return .actions(actions)
    }
    guard let first = element.members?.first else {
      report(Self.expected + ", not \(element.kindName)", at: element)
      return nil
    }
    var effect: Int?
    let ends = ["loaded", "failed", "exchangeFailed"]
    let alone = ["open", "advance", "answer", "undo"] + ActionRow.inShort.map(\.word.description)
    if let form = element.members?.map(\.name).first(where: { alone.contains($0) || ends.contains($0) }) {
      let members = fields(of: element, known: ends.contains(form) ? [form, "effect"] : [form])
      effect = members["effect"].flatMap { number(of: $0) }
    }
    switch first.name {
    case "open": return text(of: first.element).map { .open($0) }
    case "advance":
      return duration(of: first.element).map { .advance($0) }
    case "undo": return number(of: first.element).map { .undo($0) }
    case "answer": return .response(answer(of: first.element))
    case "loaded": return .answer(RequestAnswer(.loaded(first.element.value), of: effect))
    case "failed": return .answer(RequestAnswer(.failed(first.element.value.shortText), of: effect))
    case "exchangeFailed": return .answer(RequestAnswer(.exchangeFailed(first.element.value.shortText), of: effect))
    case "notification":
      let members = fields(of: element, known: ["notification", "tap", "state", "action", "reply"])
      let state = members["state"].flatMap { appState(of: $0) } ?? .background
      let tap = members["tap"].flatMap { flag(of: $0) } ?? true
      return .notification(
        first.element.value, tap: tap, appState: state, action: members["action"].flatMap { text(of: $0) },
        reply: members["reply"].flatMap { text(of: $0) })
    default:
      guard let row = ActionRow.inShort.first(where: { $0.word.description == first.name }) else { return action(of: element, first.name) }
      return value(of: first.element, short: row).map { .action(["type": .string(first.name), row.short?.description ?? "": $0]) }
    }
  }

  private static let expected = "must be a step's name, a word such as `back`, or an action such as `{ step: notePicked }`"

  /// Reads an action as clients post it, which has a step or a type. Returns `nil` after reporting a mistake.
  private mutating func action(of element: Element, _ first: String) -> Scenario.Occurrence? {
    if element.members?.contains(where: { $0.name == "step" || $0.name == "type" }) == true { return .action(element.value) }
    let known = ["step", "type", "open", "notification", "advance", "answer", "loaded", "failed", "exchangeFailed", "undo"]
    report("`\(first)` is not an action; \(hint(first, known + ActionRow.inShort.map(\.word.description)))", at: element)
    return nil
  }

  /// Returns a hint with the known name that is most similar to a misspelled name or, if no known name is similar, with all known names.
  private func hint(_ name: String, _ known: [String]) -> String {
    NearestName.of(name, among: known).map { "did you mean `\($0)`?" } ?? "use one of \(known.map { "`\($0)`" }.joined(separator: ", "))"
  }

  /// The kinds of actions that need no members.
  private static let bareWords = Action.Kind.posted.filter { ActionRow[$0].isWord }.map(\.word)

  /// Reads the value of an action in short form. Returns `nil` if the action has no short form, or after reporting a mistake.
  private mutating func value(of element: Element, short row: ActionRow) -> Value? {
    guard let field = row.posted.first(where: { $0.name.description == row.short?.description }) else { return nil }
    switch field.shape {
    case .values: return element.value
    case .word(let words) where !words.contains(element.text ?? ""):
      report("must be one of \(words.map { "`\($0)`" }.joined(separator: ", "))", at: element)
      return nil
    default: return text(of: element).map(Value.string)
    }
  }

  /// Returns the action of an element in an array of actions. For an occurrence that is not an action, reports a mistake and returns `nil`.
  private mutating func action(of occurrence: Scenario.Occurrence, at element: Element) -> Value? {
    if case .action(let value) = occurrence { return value }
    report("this list may contain only actions", at: element)
    return nil
  }

  /// Reads an expectation. After the delivery of a queue, `refused` lists the refused actions.
  private mutating func expectation(of element: Element, isOfQueue: Bool = false) -> Expectation {
    let known = [
      "tree", "stack", "visible", "outcome", "reason", "refused", "steps", "dropped", "events", "changes", "facts", "login", "accepts",
      "guarded", "question", "pendingLink", "pendingLinks", "waiting", "loads", "messages",
    ]
    let members = fields(of: element, known: known)
    var expectation = Expectation()
    expectation.tree = members["tree"].flatMap { text(of: $0) }
    expectation.stack = members["stack"].flatMap { texts(of: $0) }
    expectation.visible = members["visible"].flatMap { text(of: $0) }
    expectation.outcome = members["outcome"].flatMap { text(of: $0) }
    expectation.reason = members["reason"].flatMap { text(of: $0) }
    if isOfQueue {
      expectation.refusedActions = members["refused"].flatMap { texts(of: $0) }
    } else {
      expectation.refused = members["refused"].flatMap { text(of: $0) }
    }
    expectation.steps = members["steps"].flatMap { texts(of: $0) }
    expectation.dropped = members["dropped"].flatMap { texts(of: $0) }
    expectation.events = members["events"].flatMap { texts(of: $0) }
    expectation.changes = members["changes"].flatMap { texts(of: $0) }
    expectation.facts = members["facts"].flatMap { map(of: $0) }
    expectation.login = members["login"].flatMap { text(of: $0) }
    expectation.accepts = members["accepts"].flatMap { texts(of: $0) }
    expectation.guarded = members["guarded"].flatMap { texts(of: $0) }
    expectation.question = members["question"].map { $0.value.shortText }
    expectation.pendingLink = members["pendingLink"].map { $0.value.shortText }
    expectation.pendingLinks = members["pendingLinks"].flatMap { texts(of: $0) }
    expectation.waiting = members["waiting"].flatMap { texts(of: $0) }
    expectation.loads = members["loads"].flatMap { number(of: $0) }
    expectation.messages = members["messages"].flatMap { texts(of: $0) }
    return expectation
  }

  /// Reads `{ status, body, after }`. The defaults are 200, an empty body, and 0 ms.
  private mutating func answer(of element: Element) -> HTTPAnswer {
    let members = fields(of: element, known: ["status", "body", "after"])
    var answer = HTTPAnswer()
    if let status = members["status"].flatMap({ number(of: $0) }) {
      if !(200...599).contains(status), let place = members["status"] { report("must be an HTTP status from 200 to 599", at: place) }
      answer.status = status
    }
    answer.body = members["body"]?.value
    answer.after = members["after"].flatMap { duration(of: $0) } ?? 0
    return answer
  }

  private mutating func duration(of element: Element) -> Int? {
    if let duration = element.text.flatMap(DurationText.milliseconds) { return duration }
    report("must be a number with `ms`, `s`, `m`, `h` or `d`, like `5s`", at: element)
    return nil
  }

  private mutating func fields(of element: Element, known: [String]) -> [String: Element] {
    guard let members = element.members else {
      report("must be a map, not \(element.kindName)", at: element)
      return [:]
    }
    for member in members where !known.contains(member.name) {
      report("`\(member.name)` is unknown; \(hint(member.name, known))", at: member.element)
    }
    return Dictionary(members.map { ($0.name, $0.element) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func list(of element: Element) -> [Element]? {
    if element.list == nil { report("must be a list, not \(element.kindName)", at: element) }
    return element.list
  }

  private mutating func map(of element: Element) -> [String: Value]? {
    if case .object(let members) = element.value { return members }
    report("must be a map, not \(element.kindName)", at: element)
    return nil
  }

  private mutating func number(of element: Element) -> Int? {
    if case .integer(let number) = element.value { return number }
    report("must be a whole number, not \(element.kindName)", at: element)
    return nil
  }

  private mutating func flag(of element: Element) -> Bool? {
    if case .bool(let flag) = element.value { return flag }
    report("must be true or false, not \(element.kindName)", at: element)
    return nil
  }

  private mutating func appState(of element: Element) -> Action.AppState? {
    if let state = element.text.flatMap(Action.AppState.init) { return state }
    report("must be one of \(Action.AppState.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))", at: element)
    return nil
  }

  private mutating func text(of element: Element) -> String? {
    if element.text == nil { report("must be a string, not \(element.kindName)", at: element) }
    return element.text
  }

  private mutating func texts(of element: Element) -> [String]? {
    list(of: element)?.compactMap { text(of: $0) }
  }
}

extension Element {
  fileprivate subscript(name: String) -> Element? { members?.first { $0.name == name }?.element }
}
