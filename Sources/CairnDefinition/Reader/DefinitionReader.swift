import CairnCore

/// Reads an element tree as a definition: first the declarations, then the parts that refer to them. Each error is reported once, at its position.
/// Parts that depend on a wrong part are skipped.
struct DefinitionReader: PartReader {
  let context: ReaderContext

  /// Reads the definition. Invalid parts are reported and left out. Returns `nil` if the element is not a map, which is reported too.
  func definition(of element: Element) -> Definition? {
    guard let file = fields(of: element, "a definition", .file) else {
      return nil
    }
    readLanguage(file)
    context.compat = compatibility.compat(file["compat"])
    declarations.declare(file)
    var definition = Definition(app: appName(file["app"]), root: Contribution(.flow("")))
    definition.unhandled = context.compat.unhandled
    definition.covered = context.compat.covered
    definition.hosts = names.hosts.map(\.text)
    definition.unauthorized = requests.loadDefaults(file["loadDefaults"])
    definition.ttl = duration(file["ttl"], "`ttl`", atLeast: 60_000)
    definition.offlineFor = duration(file["offlineFor"], "`offlineFor`", atLeast: 3_600_000)
    definition.historyRetention = duration(file["historyRetention"], "`historyRetention`", atLeast: 60_000)
    definition.steps = names.steps.compactMapValues(\.self)
    definition.screens = screens.screens(file["screens"])
    definition.flows = flows.flows()
    if let root = root(file["root"]) { definition.root = root }
    definition.rules = rules(file["rules"])
    (definition.links, definition.heldLinks, definition.unmatched) = links.links(file["links"], defaults: file["linkDefaults"])
    if let notifications = file["notifications"] {
      definition.notifications = self.notifications.notifications(notifications, links: definition.links)
    }
    definition.oauth = file["oauth"].flatMap { oauth.definition($0) }
    // Facts are read last, because a built-in fact is declared when its name is used for the first time.
    definition.facts = names.facts.compactMapValues(\.self)
    timers.checkCancelledTimers()
    CreationCycles(context: context).report(in: definition.flows)
    facts.checkScopes(in: definition)
    flows.checkGates(in: definition)
    submissions.checkSteps(in: definition)
    return definition
  }

  /// Reports a version of the language that this service cannot read.
  private func readLanguage(_ file: Fields) {
    guard let element = file["language"], element.value != .integer(1) else { return }
    report("`language` must be `1`, not \(described(element))", at: element.position)
  }

  private func appName(_ element: Element?) -> String {
    guard let element, let name = text(element, "`app`") else { return "" }
    if !AppName.isValid(name) { report("`app` must \(AppName.form)", at: element.position) }
    return name
  }

  private func root(_ element: Element?) -> Contribution? {
    guard let element else { return nil }
    let scope = Surroundings("`root` has no params")
    if element.text != nil { return nodes.flow(named: element, in: scope) }
    guard let fields = fields(of: element, "`root`", .root) else { return nil }
    guard var root = fields["flow"].flatMap({ nodes.flow(named: $0, in: scope) }) else { return nil }
    let start = steps.steps(fields["start"], in: scope)
    for step in start { steps.checkParent(step, at: fields.position(of: "start")) }
    root.start = start
    return root
  }

  private func rules(_ element: Element?) -> [Rule] {
    list(element, "`rules`").compactMap { rule($0) }
  }

  private func rule(_ element: Element) -> Rule? {
    guard let fields = fields(of: element, "a rule", .rule) else {
      return nil
    }
    let scope = Surroundings("a rule has no params")
    let condition = fields["when"].flatMap { conditions.condition($0, in: scope) }
    if let condition, condition.facts.isEmpty, !condition.readsTime {
      report(
        "a rule must test at least one fact, because it is evaluated when such a fact is written",
        at: fields["when"]?.position ?? element.position
      )
    }
    guard let step = steps.step(from: fields, in: scope), let condition else { return nil }
    steps.checkParent(step, at: fields.position(of: "to"))
    return Rule(when: condition, step: step)
  }
}
