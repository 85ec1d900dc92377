import CairnCore

/// Reads the links that open the app, and their defaults.
struct LinkReader: PartReader {
  let context: ReaderContext

  /// The defaults of `requires`, `holdFor`, `else` and `to` in `linkDefaults`.
  private struct Holding {
    var requires: Guard?
    var hold: Int?
    var otherwise: StepTemplate?
    var receiver: Operation.Destination?
  }

  /// Reads the links in file order, the number of links that a session may hold, and the step for a URL that no link matches.
  func links(_ element: Element?, defaults: Element?) -> (links: [LinkDefinition], held: Int, unmatched: StepTemplate?) {
    var common = LinkOrigins()
    var holding = Holding()
    var held = 1
    var unmatched: StepTemplate?
    if let defaults, let fields = fields(of: defaults, "`linkDefaults`", .linkDefaults) {
      common = origins.origins(fields)
      holding.requires = fields["requires"].flatMap { requires($0) }
      holding.hold = duration(fields["holdFor"], "`holdFor`")
      var scope = Surroundings("`linkDefaults` cannot read the captures of links")
      scope.hasCaptures = true
      holding.otherwise = fields["else"].flatMap { $0.text == "none" ? nil : steps.step($0, in: scope) }
      holding.receiver = fields["to"].flatMap { steps.destination($0, in: scope) }
      held = fields["holdAtMost"].map { heldLinks($0) } ?? 1
      let receiver = holding.receiver
      unmatched = fields["unmatched"].flatMap { self.unmatched($0, to: receiver) }
    }
    let links = list(element, "`links`").compactMap { link($0, common, holding) }
    if let fields = defaults.flatMap(\.members), !links.contains(where: { $0.requires != nil }) {
      for member in fields where ["holdFor", "holdAtMost", "else"].contains(member.name) {
        report("`\(member.name)` has no effect, because no link has `requires`", at: member.position, severity: .warning)
      }
    }
    return (links, held, unmatched)
  }

  /// Reads the step for a URL that no link matches. Its values may be the URL and the reason, which are texts. Returns `nil` after reporting an error.
  private func unmatched(_ element: Element, to receiver: Operation.Destination?) -> StepTemplate? {
    let text = ParameterDefinition(.string)
    let scope = Surroundings(params: ["url": text, "reason": text], of: "`unmatched`")
    guard var step = steps.step(element, in: scope, follows: true) else { return nil }
    step.to = step.to ?? receiver
    guard step.to == .parent || step.to == .current else { return step }
    report("`to` of `unmatched` must be `root`, `all` or a flow's name, because no flow sends the step", at: element.position)
    return nil
  }

  /// Maximum value of `holdAtMost`. It is low because every held link is evaluated after each action.
  private static let mostHeld = 16

  private func heldLinks(_ element: Element) -> Int {
    if case .scalar(.integer(let count)) = element.content, (1...Self.mostHeld).contains(count) { return count }
    report("`holdAtMost` must be a whole number from 1 to \(Self.mostHeld), not \(described(element))", at: element.position)
    return 1
  }

  private func requires(_ element: Element) -> Guard? {
    if element.text == "none" { return nil }
    return condition(element, "requires")
  }

  private func condition(_ element: Element, _ word: String) -> Guard? {
    conditions.condition(element, in: Surroundings("`\(word)` can test facts and flows, but not the link's params"))
  }

  private func link(_ element: Element, _ common: LinkOrigins, _ holding: Holding) -> LinkDefinition? {
    guard let fields = fields(of: element, "a link", .link), let pathElement = fields["path"] else { return nil }
    let hasOwn = MemberTable.origins.names.contains { fields[$0] != nil }
    let origins = hasOwn ? origins.origins(fields) : common
    if !hasOwn && common.hosts.isEmpty && common.schemes.isEmpty {
      report("a link needs `host` or `scheme`, in the link or in `linkDefaults`", at: element.position)
    }
    guard let path = linkPaths.path(pathElement) else { return nil }
    var captures = path.compactMap(\.name)
    let query = texts(fields["query"], "a name in `query`")
    for name in query {
      if captures.contains(name) {
        report("`\(name)` is captured twice; rename one of the two captures", at: fields.position(of: "query"))
      } else {
        captures.append(name)
      }
    }
    let requires = fields["requires"].map { self.requires($0) } ?? holding.requires
    let hold = duration(fields["holdFor"], "`holdFor`")
    let secret = secretSources.passed(to: fields["send"], with: fields["with"], among: captures)
      .union(secretSources.passed(to: fields["else"], with: nil, among: captures))
    secretSources.checkSegments(path, secret, at: pathElement.position)
    let scope = Self.scope(of: captures, secret)
    let otherwise = fields["else"].map { $0.text == "none" ? nil : linkStep($0, in: scope) } ?? holding.otherwise
    // An unreadable condition has already been reported.
    if fields["requires"] == nil || fields["requires"]?.text == "none", requires == nil {
      for name in ["holdFor", "else"] where fields[name] != nil {
        report("`\(name)` has no effect without `requires`", at: fields.position(of: name), severity: .warning)
      }
    }
    guard var steps = linkSteps(fields, in: scope) else { return nil }
    for index in steps.indices { steps[index].to = steps[index].to ?? holding.receiver }
    let link = LinkDefinition(
      hosts: origins.hosts, schemes: origins.schemes, path: path, query: query, steps: steps,
      when: fields["when"].flatMap { condition($0, "when") }, requires: requires,
      hold: hold ?? holding.hold ?? LinkDefinition.defaultHold, otherwise: requires == nil ? nil : otherwise)
    for template in steps {
      checkOptionals(of: path, in: template, at: pathElement.position)
      checkLists(captures, in: template, at: pathElement.position)
    }
    return link
  }

  /// Reports captures that are passed to params of type `list`, because a capture is a single text.
  private func checkLists(_ captures: [String], in template: StepTemplate, at position: Position) {
    for (name, expression) in template.with.sortedByKey {
      guard case .reference(.param(let capture)) = expression, captures.contains(capture) else { continue }
      guard names.step(template.step)?.params[name]?.kind == .list else { continue }
      report("`\(capture)` is one text of the URL, but `\(name)` of the step `\(template.step)` is a list", at: position)
    }
  }

  /// Reports optional captures that are passed to a step's required params.
  private func checkOptionals(of path: [LinkDefinition.Segment], in template: StepTemplate, at position: Position) {
    for case .optional(let capture) in path {
      for (name, expression) in template.with.sortedByKey {
        guard case .reference(.param(capture)) = expression, let type = names.step(template.step)?.params[name] else { continue }
        guard !type.isOptional, type.defaultValue == nil else { continue }
        report("`\(capture)` is optional, but the step `\(template.step)` requires `\(name)`", at: position)
      }
    }
  }

  private static func scope(of captures: [String], _ secret: Set<String>) -> Surroundings {
    var scope = Surroundings(
      params: Dictionary(
        captures.map { ($0, secret.contains($0) ? SecretSources.type : ParameterDefinition(.string)) },
        uniquingKeysWith: { first, _ in first }),
      of: "the link")
    scope.hasCaptures = true
    scope.hasTemplates = true
    return scope
  }

  /// Reads `send`: a step, or a list of steps. Returns `nil` after reporting an error.
  private func linkSteps(_ fields: Fields, in scope: Surroundings) -> [StepTemplate]? {
    guard let list = fields["send"]?.list else { return steps.step(from: fields, in: scope, follows: true).map { [$0] } }
    if list.isEmpty { report("`send` needs at least one step", at: fields.position(of: "send")) }
    for member in ["with", "to"] where fields[member] != nil {
      report("`send` has several steps; put `\(member)` into the map of the step to which it applies", at: fields.position(of: member))
    }
    return list.compactMap { linkStep($0, in: scope) }
  }

  /// Reads a step of a link. The step's params may be captures of the link's path and query. Returns `nil` after reporting an error.
  private func linkStep(_ element: Element, in scope: Surroundings) -> StepTemplate? {
    if element.text != nil { return steps.step(element, in: scope, follows: true) }
    return fields(of: element, "a step of a link", .linkStep).flatMap { steps.step(from: $0, by: "step", in: scope, follows: true) }
  }
}
