import CairnCore

extension DefinitionReader {
  /// Reads one operation, a list of operations, or a list of branches. Returns `nil` after reporting an error.
  mutating func handler(_ element: Element, in scope: Surroundings) -> Handler? {
    guard let list = element.list else {
      if DefinitionReader.isBranch(element) { return branch(element, in: scope).map { Handler(branches: [$0]) } }
      return operation(element, in: scope).map { Handler(branches: [.init(operations: [$0])]) }
    }
    guard let first = list.first else {
      report("an empty list is not a handler; write none for a handler that does nothing", at: element.position)
      return nil
    }
    let hasBranches = DefinitionReader.isBranch(first)
    if let other = list.first(where: { DefinitionReader.isBranch($0) != hasBranches }) {
      report("a handler must have either operations, or branches with when and do", at: other.position)
      for element in list {
        if DefinitionReader.isBranch(element) { _ = branch(element, in: scope) } else { _ = operation(element, in: scope) }
      }
      return nil
    }
    guard hasBranches else { return Handler(branches: [.init(operations: list.compactMap { operation($0, in: scope) })]) }
    let branches = list.compactMap { branch($0, in: scope) }
    for element in list.dropLast() where !element.has("when") && !element.has("unless") && element.has("do") {
      report("this branch has no condition, so those after it never run; put it last", at: element.position)
    }
    return Handler(branches: branches)
  }

  private static func isBranch(_ element: Element) -> Bool { element.has("do") || element.has("when") || element.has("unless") }

  private mutating func branch(_ element: Element, in scope: Surroundings) -> Handler.Branch? {
    guard let fields = fields(of: element, "a branch", .branch) else { return nil }
    let condition = condition(of: fields, in: scope)
    guard let operations = fields["do"] else { return nil }
    if let list = operations.list { return .init(when: condition, operations: list.compactMap { operation($0, in: scope) }) }
    return operation(operations, in: scope).map { .init(when: condition, operations: [$0]) }
  }
}
