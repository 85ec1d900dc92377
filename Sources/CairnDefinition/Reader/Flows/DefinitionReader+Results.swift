import CairnCore

// The results of flows, and the steps that receive them.
extension DefinitionReader {
  /// Reads `finish: { NAME: VALUE, … }`. The values must match the flow's `gives`. Returns `nil` after reporting an error.
  func finish(_ value: Element, in scope: Surroundings) -> Operation? {
    guard let flow, let declared = names.flow(flow.name) else { return nil }
    return .give(arguments(value, for: declared.gives, of: "the result of \(flow.name)", at: value.position, in: scope, by: "finish"))
  }

  /// Reads the members `then` and `else` of a node, which only a flow that finishes may have.
  func readAnswers(of contribution: inout Contribution, from fields: Fields, in scope: Surroundings) {
    let words = ["then", "else"].filter { fields[$0] != nil }
    guard let first = words.first else { return }
    guard let name = contribution.flow, let flow = names.flow(name), flow.hasGives else {
      let what = contribution.flow.map { "\($0) has no handler with finish" } ?? "a screen does not finish"
      report("\(first) is allowed only for a flow that finishes, but \(what)", at: fields.position(of: first))
      return
    }
    contribution.then = fields["then"].flatMap { step($0, in: scope.with(result: flow.gives, of: name)) }
    contribution.otherwise = fields["else"].flatMap { step($0, in: scope) }
  }

  /// Reads `$result.name`. The name must be a member of the flow's `gives`, if those are known. Returns `nil` after reporting an error.
  func result(_ path: [String], at position: Position, in scope: Surroundings) -> Reference? {
    guard let result = scope.result, let name = path.first, result[name] == nil else { return .result(path) }
    let owner = "the result of \(scope.resultOwner)"
    let known = names.known(result, of: owner)
    reportUnknown(.param, "\(owner) \(name)", at: position) {
      let meant = known.nearest(to: name).map { "did you mean \($0)?" }
      return "\(owner) has no \(name); \(meant ?? (result.isEmpty ? "it has no members" : "it has \(listed(known.sorted))"))"
    }
    return nil
  }
}
