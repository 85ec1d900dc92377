import CairnCore

/// Reads the handlers of a flow for steps, and its adaptations of steps.
struct HandlerReader: PartReader {
  let context: ReaderContext

  /// Reads `handle`: the handlers by step.
  func handlers(_ element: Element?) -> [String: Handler] {
    var handlers: [String: Handler] = [:]
    for (step, element, scope) in stepMembers(element, "`handle`") { handlers[step] = handler(element, in: scope) }
    return handlers
  }

  /// Reads `adapt`: the adaptations by step.
  func adaptations(_ element: Element?) -> [String: [Adaptation]] {
    var adaptations: [String: [Adaptation]] = [:]
    if let element { checkCompat(.adapt, at: element.position) }
    for (step, element, scope) in stepMembers(element, "`adapt`") {
      adaptations[step] = list(element, "`adapt` of `\(step)`").compactMap { adaptation($0, in: scope) }
    }
    return adaptations
  }

  private func adaptation(_ element: Element, in scope: Surroundings) -> Adaptation? {
    guard let fields = fields(of: element, "an adaptation", .adaptation) else {
      return nil
    }
    let condition = fields["when"].flatMap { conditions.condition($0, in: scope) }
    if fields["when"] == nil {
      report("an adaptation needs `when`; to replace a step always, send the other step instead", at: element.position)
    }
    guard let to = fields["to"] else { return nil }
    if to.members != nil { report("`to` must be the name of a step; write `with` next to it, not in it", at: to.position) }
    guard to.members == nil, let step = steps.step(named: to, with: fields["with"], to: nil, in: scope, follows: true), let condition else {
      return nil
    }
    return Adaptation(when: condition, to: step)
  }

  /// The members of `handle` or `adapt`: the step, its element, and the scope of its expressions.
  private func stepMembers(_ element: Element?, _ what: String) -> [(String, Element, Surroundings)] {
    guard let element, !element.isNull else { return [] }
    guard let members = element.members else {
      report("\(what) must be a map with a name for each step, not \(article(element.kindName))", at: element.position)
      return []
    }
    return members.map { member in
      let key = Element(content: .scalar(.string(member.name)), position: member.position)
      let step = name(key, of: .step)
      // The handler of an unknown step is read too, so that its own errors are reported.
      let params = step.flatMap { names.step($0)?.params }
      return (
        member.name, member.element, Surroundings(params: params, of: "the step `\(member.name)`", hasContent: true).inside(flow?.name)
      )
    }
  }

  /// Reads one operation, a list of operations, or a list of branches. Returns `nil` after reporting an error.
  private func handler(_ element: Element, in scope: Surroundings) -> Handler? {
    guard let list = element.list else {
      if Self.isBranch(element) { return branch(element, in: scope).map { Handler(branches: [$0]) } }
      let operations = operations.operations(element, in: scope)
      return operations.isEmpty ? nil : Handler(branches: [.init(operations: operations)])
    }
    guard let first = list.first else { return Handler(branches: [.init(operations: [.none])]) }
    let hasBranches = Self.isBranch(first)
    if let other = list.first(where: { Self.isBranch($0) != hasBranches }) {
      report("a handler must have either operations, or branches with `when` and `do`", at: other.position)
      for element in list {
        if Self.isBranch(element) { _ = branch(element, in: scope) } else { _ = operations.operations(element, in: scope) }
      }
      return nil
    }
    guard hasBranches else { return Handler(branches: [.init(operations: list.flatMap { operations.operations($0, in: scope) })]) }
    let branches = list.compactMap { branch($0, in: scope) }
    for element in list.dropLast() where !element.has("when") && element.has("do") {
      report("this branch has no condition, so those after it never run; put it last", at: element.position)
    }
    return Handler(branches: branches)
  }

  private static func isBranch(_ element: Element) -> Bool { element.has("do") || element.has("when") }

  private func branch(_ element: Element, in scope: Surroundings) -> Handler.Branch? {
    guard let fields = fields(of: element, "a branch", .branch) else { return nil }
    let condition = fields["when"].flatMap { conditions.condition($0, in: scope) }
    guard let element = fields["do"] else { return nil }
    // With an empty list, the branch does nothing.
    if element.list?.isEmpty == true { return .init(when: condition, operations: [.none]) }
    let operations = oneOrMore(element).flatMap { self.operations.operations($0, in: scope) }
    return operations.isEmpty ? nil : .init(when: condition, operations: operations)
  }
}
