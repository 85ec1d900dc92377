import CairnCore

extension DefinitionReader {
  /// Reads one operation, a list of operations, or a list of branches. Returns `nil` after reporting an error.
  func handler(_ element: Element, in scope: Surroundings) -> Handler? {
    guard let list = element.list else {
      if DefinitionReader.isBranch(element) { return branch(element, in: scope).map { Handler(branches: [$0]) } }
      let operations = operations(element, in: scope)
      return operations.isEmpty ? nil : Handler(branches: [.init(operations: operations)])
    }
    guard let first = list.first else { return Handler(branches: [.init(operations: [.none])]) }
    let hasBranches = DefinitionReader.isBranch(first)
    if let other = list.first(where: { DefinitionReader.isBranch($0) != hasBranches }) {
      report("a handler must have either operations, or branches with when and do", at: other.position)
      for element in list {
        if DefinitionReader.isBranch(element) { _ = branch(element, in: scope) } else { _ = operations(element, in: scope) }
      }
      return nil
    }
    guard hasBranches else { return Handler(branches: [.init(operations: list.flatMap { operations($0, in: scope) })]) }
    let branches = list.compactMap { branch($0, in: scope) }
    for element in list.dropLast() where !element.has("when") && element.has("do") {
      report("this branch has no condition, so those after it never run; put it last", at: element.position)
    }
    return Handler(branches: branches)
  }

  static func isBranch(_ element: Element) -> Bool { element.has("do") || element.has("when") }

  private func branch(_ element: Element, in scope: Surroundings) -> Handler.Branch? {
    guard let fields = fields(of: element, "a branch", .branch) else { return nil }
    let condition = fields["when"].flatMap { self.condition($0, in: scope) }
    guard let element = fields["do"] else { return nil }
    // The empty list does nothing.
    if element.list?.isEmpty == true { return .init(when: condition, operations: [.none]) }
    let operations = oneOrMore(element).flatMap { self.operations($0, in: scope) }
    return operations.isEmpty ? nil : .init(when: condition, operations: operations)
  }
}
