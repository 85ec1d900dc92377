import CairnCore

extension DefinitionReader {
  /// The hosts and schemes of one link, or those in `linkDefaults`.
  private struct Origins {
    var hosts: [String] = []
    var schemes: [String] = []
  }

  /// The defaults of `requires`, `hold` and `else` in `linkDefaults`.
  private struct Holding {
    var requires: Guard?
    var hold: Int?
    var otherwise: StepTemplate?
  }

  /// Reads the links in file order, and the number of links that a session may hold.
  mutating func links(_ element: Element?, defaults: Element?) -> (links: [LinkDefinition], held: Int) {
    var common = Origins()
    var holding = Holding()
    var held = 1
    if let defaults, let fields = fields(of: defaults, "linkDefaults", .linkDefaults) {
      common = origins(fields)
      holding.requires = fields["requires"].flatMap { requires($0) }
      holding.hold = duration(fields["hold"], "hold")
      holding.otherwise = fields["else"].flatMap { element in
        var scope = Surroundings("linkDefaults cannot read the captures of links")
        scope.hasCaptures = true
        return element.text == "none" ? nil : step(element, in: scope)
      }
      held = fields["held"].map { heldLinks($0) } ?? 1
    }
    let links = list(element, "links").compactMap { link($0, common, holding) }
    if let fields = defaults.flatMap(\.members), !links.contains(where: { $0.requires != nil }) {
      for member in fields where ["hold", "held", "else"].contains(member.name) {
        report("\(member.name) has no effect, because no link has requires", at: member.position, severity: .warning)
      }
    }
    return (links, held)
  }

  /// Maximum value of `held`. It is low because every held link is evaluated after each action.
  private static let mostHeld = 16

  private mutating func heldLinks(_ element: Element) -> Int {
    if case .scalar(.integer(let count)) = element.content, (1...Self.mostHeld).contains(count) { return count }
    report("held must be a whole number from 1 to \(Self.mostHeld), not \(described(element))", at: element.position)
    return 1
  }

  private mutating func requires(_ element: Element) -> Guard? {
    if element.text == "none" { return nil }
    return condition(element, in: Surroundings("requires can test facts and flows, but not the link's params"))
  }

  private mutating func link(_ element: Element, _ common: Origins, _ holding: Holding) -> LinkDefinition? {
    guard let fields = fields(of: element, "a link", .link), let pathElement = fields["path"] else { return nil }
    let hasOwn = MemberTable.origins.names.contains { fields[$0] != nil }
    let origins = hasOwn ? origins(fields) : common
    if !hasOwn && common.hosts.isEmpty && common.schemes.isEmpty {
      report("a link needs host or scheme, in the link or in linkDefaults", at: element.position)
    }
    guard let path = path(pathElement) else { return nil }
    var captures = path.compactMap(\.name)
    let query = texts(fields["query"], "a name in query")
    for name in query {
      if captures.contains(name) {
        report("\(name) is captured twice", at: fields.position(of: "query"))
      } else {
        captures.append(name)
      }
    }
    let requires = fields["requires"].map { self.requires($0) } ?? holding.requires
    let hold = duration(fields["hold"], "hold")
    let scope = Self.scope(of: captures)
    let otherwise = fields["else"].map { $0.text == "none" ? nil : linkStep($0, in: scope) } ?? holding.otherwise
    // An unreadable condition has already been reported.
    if fields["requires"] == nil || fields["requires"]?.text == "none", requires == nil {
      for name in ["hold", "else"] where fields[name] != nil {
        report("\(name) has no effect without requires", at: fields.position(of: name), severity: .warning)
      }
    }
    guard let steps = steps(fields, in: scope) else { return nil }
    let link = LinkDefinition(
      hosts: origins.hosts, schemes: origins.schemes, path: path, query: query, steps: steps, requires: requires,
      hold: hold ?? holding.hold ?? LinkDefinition.defaultHold, otherwise: requires == nil ? nil : otherwise)
    for template in steps { checkOptionals(of: path, in: template, at: pathElement.position) }
    return link
  }

  /// Reports optional captures that are passed to a step's required params.
  private mutating func checkOptionals(of path: [LinkDefinition.Segment], in template: StepTemplate, at position: Position) {
    for case .optional(let capture) in path {
      for (name, expression) in template.with.sorted(by: { $0.key < $1.key }) {
        guard case .reference(.param(capture)) = expression, let type = names.step(template.step)?.params[name] else { continue }
        guard !type.isOptional, type.defaultValue == nil else { continue }
        report("\(capture) is optional, but the step \(template.step) requires \(name)", at: position)
      }
    }
  }

  private static func scope(of captures: [String]) -> Surroundings {
    var scope = Surroundings(
      params: Dictionary(captures.map { ($0, ParameterDefinition(.string)) }, uniquingKeysWith: { first, _ in first }),
      of: "the link")
    scope.hasCaptures = true
    scope.hasTemplates = true
    return scope
  }

  /// Reads `step`, `steps`, or `broadcast`, which is a step to all flows. Returns `nil` after reporting an error.
  private mutating func steps(_ fields: Fields, in scope: Surroundings) -> [StepTemplate]? {
    let given = MemberTable.link.alternatives.filter { fields[$0] != nil }.sorted {
      fields.position(of: $0) < fields.position(of: $1)
    }
    guard let word = given.first, given.count == 1 else {
      let place = given.isEmpty ? fields.position : fields.position(of: given[1])
      report("a link needs \(given.isEmpty ? "" : "only ")one of step, steps and broadcast", at: place)
      return nil
    }
    for member in ["with", "to"] where word != "step" && fields[member] != nil {
      report("\(member) is allowed only next to step; in \(word), put it into the step's map", at: fields.position(of: member))
    }
    switch word {
    case "step": return step(from: fields, in: scope, follows: true).map { [$0] }
    case "broadcast": return broadcast(fields, in: scope).map { [$0] }
    default:
      let elements = list(fields["steps"], "steps")
      if elements.isEmpty { report("steps needs at least one step", at: fields.position(of: "steps")) }
      return elements.compactMap { linkStep($0, in: scope) }
    }
  }

  private mutating func broadcast(_ fields: Fields, in scope: Surroundings) -> StepTemplate? {
    guard let element = fields["broadcast"], var template = linkStep(element, in: scope) else { return nil }
    if template.to != nil { report("a broadcast is sent to all flows, so to is not allowed; use step instead", at: element.position) }
    template.to = .all
    return template
  }

  /// Reads a step of a link, which takes captures as its params. Returns `nil` after reporting an error.
  private mutating func linkStep(_ element: Element, in scope: Surroundings) -> StepTemplate? {
    if element.text != nil { return step(element, in: scope, follows: true) }
    return fields(of: element, "a step of a link", .linkStep).flatMap { step(from: $0, in: scope, follows: true) }
  }

  // MARK: Origins

  private mutating func origins(_ fields: Fields) -> Origins {
    for (one, more) in [("host", "hosts"), ("scheme", "schemes")] where fields[one] != nil && fields[more] != nil {
      report("\(one) and \(more) exclude each other; remove one", at: fields.position(of: one))
    }
    let hosts = linkHosts(fields["hosts"] ?? fields["host"])
    return Origins(hosts: hosts, schemes: schemes(fields["schemes"] ?? fields["scheme"], hasHosts: !hosts.isEmpty))
  }
}
