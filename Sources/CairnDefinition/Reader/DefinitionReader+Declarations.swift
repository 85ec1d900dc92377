import CairnCore

extension DefinitionReader {
  /// Reads all declarations, before the parts of the file that refer to them.
  mutating func declare(_ file: Fields) {
    names.hosts = loadHosts(file["allowHosts"])
    names.hasOAuth = file["oauth"] != nil
    for member in declarations(file["sets"], "sets", .set) {
      names.sets.updateValue(values(of: member), forKey: member.name)
    }
    for member in declarations(file["facts"], "facts", .fact) where isDeclarable(member) {
      names.facts.updateValue(fact(member), forKey: member.name)
    }
    for member in declarations(file["steps"], "steps", .step) {
      names.steps.updateValue(step(member), forKey: member.name)
    }
    for member in declarations(file["screens"], "screens", .screen) { declareScreen(member) }
    for member in declarations(file["flows"], "flows", .flow) { declareFlow(member) }
  }

  /// The members of a section that declares names.
  private mutating func declarations(_ element: Element?, _ what: String, _ kind: NameKind) -> [Element.Member] {
    guard let element, !element.isNull else { return [] }
    guard let members = element.members else {
      names.unreadable.insert(kind)
      report(
        "\(what) must be a map with a name for each \(kind.rawValue), not \(article(element.kindName))", at: element.position)
      return []
    }
    // An invalid name is reported but still declared, so that its uses cause no further errors.
    for member in members { _ = isName(member, kind) }
    return members
  }

  private mutating func values(of member: Element.Member) -> ValueSet? {
    guard let list = member.element.list, !list.isEmpty else {
      report("the set \(member.name) must be a list of values, like [1, 2]", at: member.element.position)
      return nil
    }
    return ValueSet(list.map(\.value), name: member.name)
  }

  // MARK: Facts

  private mutating func isDeclarable(_ member: Element.Member) -> Bool {
    if FactDefinition.ofApp[member.name] != nil {
      reportUnlessStored("\(member.name) is built in, and the action appState writes it; remove it here", at: member.position)
      return isStored
    }
    guard member.name == FactDefinition.accessToken else { return true }
    report("accessToken is built in; remove it here, and test it with is: present or is: absent", at: member.position)
    return false
  }

  private mutating func fact(_ member: Element.Member) -> FactDefinition? {
    var variable: String?
    var isShown = false
    var isClients = false
    var typeElement = member.element
    if let members = member.element.members {
      let (env, shown) = (members.first { $0.name == "env" }, members.first { $0.name == "shown" })
      variable = env.flatMap { environmentName($0.element) }
      isShown = flag(shown?.element, "shown")
      if let shown, env == nil { report("shown is allowed only for a fact with env; other facts are always shown", at: shown.position) }
      if let by = members.first(where: { $0.name == "by" }) {
        isClients = true
        if by.element.text != "client" { report("by must be client, not \(described(by.element))", at: by.element.position) }
        if env != nil { report("a fact with env cannot have by: client, because its value comes from the environment", at: by.position) }
      }
      typeElement.content = .map(members.filter { !["env", "shown", "by"].contains($0.name) })
    }
    guard var type = type(typeElement, "the fact \(member.name)") else { return nil }
    if type.defaultValue == nil { type.isOptional = true }
    return FactDefinition(type: type, environment: variable, isShown: isShown || variable == nil, isClients: isClients)
  }

  mutating func environmentName(_ element: Element) -> String? {
    guard let name = text(element, "env") else { return nil }
    if name.first?.isNumber != true,
      name.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || "0"..."9" ~= $0) })
    {
      return name
    }
    report("env must be the name of an environment variable, like SHOP_URL, not its value", at: element.position)
    return nil
  }

  // MARK: Steps

  private mutating func step(_ member: Element.Member) -> StepDefinition? {
    guard !member.element.isNull else { return StepDefinition() }
    guard let members = member.element.members else {
      report(
        "the step \(member.name) must be a map of its params, like { id: integer }, not \(article(member.element.kindName))",
        at: member.element.position)
      return nil
    }
    var isInternal = false
    var others: [Element.Member] = []
    for member in members {
      if member.name == "internal", case .scalar(.bool(let flag)) = member.element.content {
        isInternal = flag
      } else {
        others.append(member)
      }
    }
    guard let params = params(others, of: "the step \(member.name)") else { return nil }
    return StepDefinition(params: params, isInternal: isInternal)
  }

  // MARK: Screens

  private mutating func declareScreen(_ member: Element.Member) {
    let declared: [String: ParameterDefinition]?
    if let element = member.element.members?.first(where: { $0.name == "params" })?.element, !element.isNull {
      if let members = element.members {
        declared = params(members, of: "the screen \(member.name)")
      } else {
        report(
          "params of the screen \(member.name) must be a map, like { id: integer }, not \(article(element.kindName))",
          at: element.position)
        declared = nil
      }
    } else if let members = member.element.members, !members.isEmpty, !member.element.has("params") {
      // `parms: {…}` is reported with the screen's other members; the params are then unknown.
      declared = members.contains { NearestName.of($0.name, among: ["params"]) != nil } ? nil : [:]
    } else {
      declared = [:]
    }
    names.screens.updateValue(declared, forKey: member.name)
  }

  /// Reads the screens with their contracts. The params have been read with the declarations.
  mutating func screens(_ element: Element?) -> [String: ScreenDefinition] {
    var screens: [String: ScreenDefinition] = [:]
    for member in element?.members ?? [] {
      guard let fields = fields(of: member.element, "the screen \(member.name)", .screen) else { continue }
      var screen = ScreenDefinition(params: names.params(ofScreen: member.name) ?? [:], meta: fields["meta"]?.value)
      if let emits = fields["emits"] {
        screen.emits = contract(emits, "without emits the screen \(member.name) may emit any step; with [], none")
      }
      screens[member.name] = screen
    }
    return screens
  }

  /// Reads `emits`: the steps that clients may send for a screen.
  mutating func contract(_ element: Element, _ otherwise: String) -> Set<String> {
    var steps: Set<String> = []
    guard element.list != nil else {
      report("emits must be a list of steps; \(otherwise)", at: element.position)
      return []
    }
    for element in list(element, "emits") {
      guard let step = name(element, of: .step) else { continue }
      if names.step(step)?.isInternal == true {
        report("\(step) is internal, so no screen can emit it", at: element.position)
      } else if !steps.insert(step).inserted {
        report("emits lists \(step) twice", at: element.position)
      }
    }
    return steps
  }

  // MARK: Flows

  /// The declared result of a flow; `nil` if it could not be read.
  private mutating func result(_ element: Element, of flow: String) -> [String: ParameterDefinition]? {
    if element.isNull { return [:] }
    if let members = element.members { return params(members, of: "the result of \(flow)", mayBeSecret: false) }
    report("gives of \(flow) must be a map, like { id: integer }, not \(article(element.kindName))", at: element.position)
    return nil
  }

  private mutating func declareFlow(_ member: Element.Member) {
    guard let fields = fields(of: member.element, "the flow \(member.name)", .flow) else {
      names.flows.updateValue(nil, forKey: member.name)
      return
    }
    var flow = DeclaredNames.Flow(fields: fields, container: container(fields, of: member.name))
    flow.rootScreen = fields["screen"]?.text
    if let gives = fields.members["gives"] {
      flow.hasGives = true
      flow.gives = result(gives.element, of: member.name)
    } else if let handlers = fields["handle"]?.members, handlers.contains(where: { DefinitionReader.finishes($0.element) }) {
      flow.hasGives = true
      flow.gives = [:]
    }
    names.flows.updateValue(flow, forKey: member.name)
  }

  /// The container, which is the one of its words that the flow has as a member. Returns `nil` after reporting that there is none, or a second one.
  private mutating func container(_ fields: Fields, of name: String) -> Node.Kind? {
    let present = Node.Kind.ofFlows.filter { fields[$0.rawValue] != nil }
    if let first = present.first, present.count == 1 { return first }
    // A former member has been reported with its remedy.
    guard fields.former.isEmpty else { return nil }
    let words = english(Node.Kind.ofFlows.map(\.rawValue), "or")
    report(
      present.isEmpty
        ? "the flow \(name) needs a container: \(words)"
        : "the flow \(name) has \(english(present.map(\.rawValue), "and")), but a flow has one container",
      at: present.isEmpty ? fields.position : fields.position(of: present[1].rawValue))
    return nil
  }

  /// Whether a handler has the operation `finish`.
  private static func finishes(_ element: Element) -> Bool {
    if let list = element.list { return list.contains(where: finishes) }
    if let operations = element.members?.first(where: { $0.name == "do" })?.element { return finishes(operations) }
    return element.text == OperationWord.finish.rawValue || element.has(OperationWord.finish.rawValue)
  }
}
