import CairnCore

extension DefinitionReader {
  /// Where links come from, as one link or all of them say.
  private struct Origins {
    var hosts: [String] = []
    var schemes: [String] = []
  }

  /// The links, in file order.
  mutating func links(_ element: Element?, defaults: Element?) -> [LinkDefinition] {
    var common = Origins()
    if let defaults, let fields = fields(of: defaults, "linkDefaults", .linkDefaults) {
      common = origins(fields)
    }
    return list(element, "links").compactMap { link($0, common) }
  }

  private mutating func link(_ element: Element, _ common: Origins) -> LinkDefinition? {
    guard let fields = fields(of: element, "a link", .link), let pathElement = fields["path"] else { return nil }
    let hasOwn = MemberTable.linkDefaults.names.contains { fields[$0] != nil }
    let origins = hasOwn ? origins(fields) : common
    if !hasOwn && common.hosts.isEmpty && common.schemes.isEmpty {
      report("a link needs host or scheme, its own or in linkDefaults", at: element.position)
    }
    guard let path = path(pathElement) else { return nil }
    var captures = path.compactMap { if case .capture(let name) = $0 { name } else { nil } }
    let query = texts(fields["query"], "a name in query")
    for name in query {
      if captures.contains(name) {
        report("\(name) is captured twice", at: fields.position(of: "query"))
      } else {
        captures.append(name)
      }
    }
    let requires = fields["requires"].flatMap { condition($0, in: Surroundings("a link is held by facts and flows, not by its params")) }
    let hold = duration(fields["hold"], "hold")
    if fields["hold"] != nil && fields["requires"] == nil {
      report("hold does nothing without requires", at: fields.position(of: "hold"), severity: .warning)
    }
    guard let steps = steps(fields, captures: captures) else { return nil }
    return LinkDefinition(
      hosts: origins.hosts, schemes: origins.schemes, path: path, query: query, steps: steps, requires: requires,
      hold: hold ?? LinkDefinition.defaultHold)
  }

  /// `step`, `steps`, or `broadcast`, which is a step to all.
  private mutating func steps(_ fields: Fields, captures: [String]) -> [StepTemplate]? {
    let given = MemberTable.link.alternatives.filter { fields[$0] != nil }.sorted {
      fields.position(of: $0) < fields.position(of: $1)
    }
    guard let word = given.first, given.count == 1 else {
      let place = given.isEmpty ? fields.position : fields.position(of: given[1])
      report("a link needs \(given.isEmpty ? "" : "only ")one of step, steps and broadcast", at: place)
      return nil
    }
    for member in ["with", "to"] where word != "step" && fields[member] != nil {
      report("\(member) stands beside step; in \(word) it belongs into its map", at: fields.position(of: member))
    }
    var scope = Surroundings(
      params: Dictionary(captures.map { ($0, ParameterDefinition(.string)) }, uniquingKeysWith: { first, _ in first }),
      of: "the link")
    scope.hasCaptures = true
    scope.hasTemplates = true
    switch word {
    case "step": return linkStep(fields, in: scope).map { [$0] }
    case "broadcast": return broadcast(fields, in: scope).map { [$0] }
    default:
      let elements = list(fields["steps"], "steps")
      if elements.isEmpty { report("steps needs at least one step", at: fields.position(of: "steps")) }
      return elements.compactMap { linkStep($0, in: scope) }
    }
  }

  private mutating func broadcast(_ fields: Fields, in scope: Surroundings) -> StepTemplate? {
    guard let element = fields["broadcast"], var template = linkStep(element, in: scope) else { return nil }
    if template.to != nil { report("a broadcast goes to all; to another say step", at: element.position) }
    template.to = .all
    return template
  }

  private mutating func linkStep(_ element: Element, in scope: Surroundings) -> StepTemplate? {
    guard element.text == nil else {
      var fields = Fields(position: element.position)
      fields.add(.init(name: "step", position: element.position, element: element))
      return linkStep(fields, in: scope)
    }
    guard let fields = fields(of: element, "a step of a link", .linkStep) else { return nil }
    return linkStep(fields, in: scope)
  }

  /// A step without `with` takes the captures that have the names of its params.
  private mutating func linkStep(_ fields: Fields, in scope: Surroundings) -> StepTemplate? {
    guard fields["with"] == nil, let element = fields["step"], let name = element.text, let params = names.step(name)?.params
    else {
      return step(from: fields, in: scope)
    }
    let taken = params.keys.filter { scope.params?[$0] != nil }.sorted()
    let members = taken.map { name in
      Element.Member(
        name: name, position: element.position,
        element: Element(content: .scalar(.string("$\(name)")), position: element.position))
    }
    var full = fields
    full.add(
      .init(name: "with", position: element.position, element: Element(content: .map(members), position: element.position)))
    return step(from: full, in: scope)
  }

  // MARK: Origins and paths

  private mutating func origins(_ fields: Fields) -> Origins {
    for (one, more) in [("host", "hosts"), ("scheme", "schemes")] where fields[one] != nil && fields[more] != nil {
      report("\(one) and \(more) do not stand together", at: fields.position(of: one))
    }
    let hosts = hosts(fields["hosts"] ?? fields["host"], "a host")
    return Origins(hosts: hosts, schemes: schemes(fields["schemes"] ?? fields["scheme"], hasHosts: !hosts.isEmpty))
  }

  /// Hosts in lower case, without scheme, port or path.
  mutating func hosts(_ element: Element?, _ what: String) -> [String] {
    var hosts: [String] = []
    for element in oneOrMore(element) {
      guard let host = text(element, what) else { continue }
      if host.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "." || $0 == "-")
      }) {
        hosts.append(host.lowercased())
      } else {
        report("\(host) is no host: it is written without scheme, port and path, like shop.example", at: element.position)
      }
    }
    return hosts
  }

  /// Of an app; `http` and `https` say what the hosts' URLs begin with.
  private mutating func schemes(_ element: Element?, hasHosts: Bool) -> [String] {
    var schemes: [String] = []
    for element in oneOrMore(element) {
      guard let scheme = text(element, "a scheme")?.lowercased() else { continue }
      let isScheme = scheme.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || "+.-".unicodeScalars.contains($0) }
      if !isScheme || !(scheme.first?.isLetter ?? false) {
        report("\(scheme) is no scheme: it is written without ://, like shop", at: element.position)
      } else if (scheme == "http" || scheme == "https") && !hasHosts {
        report("\(scheme) is no scheme of an app: its links are told by hosts", at: element.position)
      } else {
        schemes.append(scheme)
      }
    }
    return schemes
  }

  private mutating func path(_ element: Element) -> [LinkDefinition.Segment]? {
    guard let text = text(element, "path") else { return nil }
    guard text.hasPrefix("/") else {
      report("path must begin with /, like /items/{id}, not \(text)", at: element.position)
      return nil
    }
    if text == "/" { return [] }
    var segments: [LinkDefinition.Segment] = []
    for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
      let name = String(part.dropFirst().dropLast())
      if part.hasPrefix("{"), part.hasSuffix("}"), DefinitionReader.isIdentifier(name) {
        if segments.contains(.capture(name)) { report("\(name) is captured twice", at: element.position) }
        segments.append(.capture(name))
      } else if part.isEmpty || part.contains(where: { "{}?#".contains($0) }) {
        report("a segment of path is a text or {name}, not \(part.isEmpty ? "nothing" : part)", at: element.position)
        return nil
      } else {
        segments.append(.literal(part))
      }
    }
    return segments
  }
}
