import CairnCore

/// The fact to which a name refers.
struct FactUse {
  var name: String
  /// Whether the fact belongs to a flow instead of the session.
  var isOfFlow = false
  /// The fact's type; `nil` if it is unknown.
  var type: ParameterDefinition?
}

/// A use, in a flow, of a fact that another flow declares.
struct OuterFact {
  var flow: String
  var fact: String
  var position: Position
}

/// Reads uses of the facts of the session and of flows, and uses of the params of flows.
struct FactReader: PartReader {
  let context: ReaderContext

  /// Reads the name of a fact that is read or written: a fact of the scope's flow, of a flow around it, or of the session. Returns `nil` after reporting any
  /// other name.
  func use(of name: String, at position: Position, in scope: Surroundings) -> FactUse? {
    guard let flows = names.flowsOfFacts[name], !names.facts.keys.contains(name) else {
      return factName(name, at: position).map { FactUse(name: $0, type: names.fact($0)?.type) }
    }
    guard let flow = scope.flow else {
      report("`\(name)` is a fact of the flow `\(flows[0])`, so it can be used only inside that flow", at: position)
      return nil
    }
    if !flows.contains(flow) { context.outerFacts.append(OuterFact(flow: flow, fact: name, position: position)) }
    return FactUse(name: name, isOfFlow: true, type: names.flowFact(name, in: scope.flow))
  }

  /// Reads the initial values of the facts of a new flow.
  func firstFacts(_ fields: Fields, of flow: String, in scope: Surroundings) -> [String: Expression] {
    guard let element = fields["facts"] else { return [:] }
    let types = names.flow(flow)?.facts
    return expressions.arguments(
      element, for: types, of: "the flow `\(flow)`", at: element.position, in: scope, by: "facts", isComplete: false)
  }

  /// Reads `flow.name.a`: a param of the scope's flow, and members of its value. Reports any other path and returns `nil`.
  func param(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    let text = path.joined(separator: ".")
    guard let flow = scope.flow else {
      report("`$flow.\(text)` can be read only inside a flow", at: position)
      return nil
    }
    guard let params = names.params(ofFlow: flow), params[path[0]] == nil else {
      let isSecret = names.params(ofFlow: flow)?[path[0]]?.isSecret == true
      return secrets.isReportedSecret(isSecret, "flow.\(text)", at: position, in: scope) ? nil : .flow(path)
    }
    let known = names.known(params, of: "the flow `\(flow)`")
    let all = params.isEmpty ? "it has none" : "it has \(listed(known.sorted))"
    report(
      "the flow `\(flow)` has no param `\(path[0])`; \(known.nearest(to: path[0]).map { "did you mean `\($0)`?" } ?? all)", at: position)
    return nil
  }

  /// Reports each use of a flow's fact in a flow that is never inside the declaring flow. Also reports a flow's fact with the same name as
  /// a fact of a flow around it. Both checks need the graph of flows that create other flows, so they run only if the definition has no
  /// other errors.
  func checkScopes(in definition: Definition) {
    guard !names.flowsOfFacts.isEmpty, !context.problems.hasErrors else { return }
    let graph = FlowGraph(definition, definition.makings(definition.operations))
    func isBelow(_ flow: String, _ outer: String) -> Bool {
      guard let number = graph.number(flow), let top = graph.number(outer) else { return true }
      return graph.below([top])[number]
    }
    for use in context.outerFacts {
      let owners = names.flowsOfFacts[use.fact] ?? []
      guard !owners.contains(where: { isBelow(use.flow, $0) }) else { continue }
      report(
        "`\(use.fact)` is a fact of the flow `\(owners[0])`, but `\(owners[0])` never creates `\(use.flow)`, so the fact does not exist here",
        at: use.position)
    }
    for (fact, owners) in names.flowsOfFacts {
      for inner in owners {
        guard let outer = owners.first(where: { $0 != inner && isBelow(inner, $0) }) else { continue }
        let position = names.flow(inner)?.fields["facts"]?.members?.first { $0.name == fact }?.position
        report(
          "the flow `\(outer)`, which may contain the flow `\(inner)`, has a fact `\(fact)` too; rename one of the two facts",
          at: position ?? Position(line: 1, column: 1))
      }
    }
  }
}
