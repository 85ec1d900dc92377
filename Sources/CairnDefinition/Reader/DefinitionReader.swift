import CairnCore

/// Reads an element tree as a definition: first the declarations, then the parts that refer to them. Each error is reported once, at its position.
/// Parts that depend on a wrong part are skipped.
struct DefinitionReader {
  let limits: DefinitionLimits
  /// Whether the text comes from a database, so that it may have been accepted under older rules.
  let isStored: Bool
  private var problems: [Finding] = []
  private var unknownNames: [UnknownName: Int] = [:]
  private var knownParams: [String: KnownNames] = [:]
  var names = DeclaredNames()
  var loadDefaults = LoadDefaults()
  /// The flow whose handlers are being read; `nil` outside of a flow.
  var flow: CurrentFlow?
  var timerNames: Set<String> = []
  var compat = Compat()
  /// The names in `cancel` operations. They are checked when all timers have been read.
  var cancelledTimers: [Element] = []

  private struct Finding {
    var severity: Diagnostic.Severity
    var position: Position
    var message: String
    /// Further positions of the same unknown name.
    var further: [Position] = []
  }

  private struct UnknownName: Hashable {
    var kind: NameKind
    var name: String
  }

  init(limits: DefinitionLimits = .none, isStored: Bool = false) {
    self.limits = limits
    self.isStored = isStored
  }

  /// Reports an error in a new definition. A stored definition that was accepted before the rule existed remains readable for its sessions.
  mutating func reportUnlessStored(_ message: String, at position: Position) {
    if !isStored { report(message, at: position) }
  }

  /// Reports a fault. The message includes the valid alternatives.
  mutating func report(_ message: String, at position: Position, severity: Diagnostic.Severity = .error) {
    problems.append(Finding(severity: severity, position: position, message: message))
  }

  /// Reports an unknown name. All occurrences in the file are one error, whose message is built only once.
  mutating func reportUnknown(
    _ kind: NameKind, _ name: String, at position: Position, _ message: (DefinitionReader) -> String
  ) {
    let unknown = UnknownName(kind: kind, name: name)
    if let index = unknownNames[unknown] {
      problems[index].further.append(position)
    } else {
      unknownNames[unknown] = problems.count
      report(message(self), at: position)
    }
  }

  /// The names of these params, cached for suggestions in messages.
  mutating func known(_ params: [String: ParameterDefinition], of what: String) -> KnownNames {
    if let known = knownParams[what] { return known }
    let known = KnownNames(params.keys)
    knownParams[what] = known
    return known
  }

  /// The diagnostics, sorted by position.
  func diagnostics(file: String) -> [Diagnostic] {
    problems.map { problem in
      let places = [problem.position] + problem.further
      let first = places.min() ?? problem.position
      let others = places.filter { $0 != first }.sorted().map { $0.text(besides: first) }
      let also = others.isEmpty ? "" : " (also at \(others.joined(separator: ", ")))"
      return Diagnostic(problem.severity, file: file, at: first, problem.message + also)
    }.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }

  /// The flow whose handlers are being read; `nil` outside of a flow.
  struct CurrentFlow {
    var name: String
    var container: Node.Kind?
    /// The steps that the flow handles or adapts.
    var handled: Set<String> = []
    /// The children that a switch declares; `nil` if they are unknown.
    var children: [String]?
  }

  /// Reads the definition. Invalid parts are reported and left out. Returns `nil` if the element is not a map, which is reported too.
  mutating func definition(of element: Element) -> Definition? {
    guard let file = fields(of: element, "a definition", .file) else {
      return nil
    }
    readLanguage(file)
    compat = compat(file["compat"])
    declare(file)
    var definition = Definition(app: appName(file["app"]), root: Contribution(.flow("")))
    definition.unhandled = compat.unhandled
    definition.covered = compat.covered
    definition.hosts = names.hosts.map(\.text)
    definition.unauthorized = loadDefaults(file["loadDefaults"])
    definition.ttl = duration(file["ttl"], "ttl", atLeast: 60_000)
    definition.historyRetention = duration(file["historyRetention"], "historyRetention", atLeast: 60_000)
    definition.steps = names.steps.compactMapValues(\.self)
    definition.screens = screens(file["screens"])
    definition.flows = flows()
    if let root = root(file["root"]) { definition.root = root }
    definition.rules = rules(file["rules"])
    (definition.links, definition.heldLinks) = links(file["links"], defaults: file["linkDefaults"])
    if let notifications = file["notifications"] {
      definition.notifications = self.notifications(notifications, links: definition.links)
    }
    definition.oauth = file["oauth"].flatMap { oauth($0) }
    // Facts come last, because a built-in fact is declared when the first use of its name is read.
    definition.facts = names.facts.compactMapValues(\.self)
    checkCancelledTimers()
    checkBirths(of: definition.flows)
    return definition
  }

  /// Reports a version of the language that this service cannot read.
  private mutating func readLanguage(_ file: Fields) {
    guard let element = file["language"], element.value != .integer(1) else { return }
    report("language must be 1, not \(described(element))", at: element.position)
  }

  private mutating func appName(_ element: Element?) -> String {
    guard let element, let name = text(element, "app") else { return "" }
    let isName =
      name.first.map { $0.isLowercase } == true
      && name.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "-" }
    if !isName { report("app must consist of lowercase letters, digits and -, and begin with a letter, like my-app", at: element.position) }
    return name
  }

  private mutating func root(_ element: Element?) -> Contribution? {
    guard let element else { return nil }
    if element.text != nil { return name(element, of: .flow).map { Contribution(.flow($0)) } }
    guard let fields = fields(of: element, "root", .root) else { return nil }
    guard let flow = fields["flow"].flatMap({ name($0, of: .flow) }) else { return nil }
    let start = steps(fields["start"], in: Surroundings("root has no params"))
    for step in start { checkParent(step, at: fields.position(of: "start")) }
    return Contribution(.flow(flow), start: start)
  }

  private mutating func rules(_ element: Element?) -> [Rule] {
    list(element, "rules").compactMap { rule($0) }
  }

  private mutating func rule(_ element: Element) -> Rule? {
    guard let fields = fields(of: element, "a rule", .rule) else {
      return nil
    }
    let scope = Surroundings("a rule has no params")
    let condition = fields["when"].flatMap { self.condition($0, in: scope) }
    if let condition, condition.facts.isEmpty {
      report(
        "a rule must test at least one fact, because it is evaluated when such a fact is written",
        at: fields["when"]?.position ?? element.position
      )
    }
    guard let step = step(from: fields, in: scope), let condition else { return nil }
    checkParent(step, at: fields.position(of: "to"))
    return Rule(when: condition, step: step)
  }
}
