// Performs the operation `set` with `keep`, which keeps the equal nodes at the bottom of the stack.
extension StackOperations {
  /// Replaces the nodes of the stack. From the bottom up, existing nodes are kept with their state as long as they have the same screen or
  /// flow and the same params as the new ones. Returns `already-there` if all nodes are kept.
  static func set(_ run: inout Run, _ templates: [NodeTemplate], in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    let stack = try nearestStack(run, of: context.flow)
    let children = run.state.nodes.children(of: stack)
    var kept = 0
    while kept < min(templates.count, children.count), try isInstance(run, children[kept], of: templates[kept], scope: context.scope) {
      kept += 1
    }
    if kept > 0 { run.linked?.node = children[kept - 1] }
    guard kept < max(templates.count, children.count) else { return .alreadyThere }
    let owner = context.flow
    Removal.remove(&run, Array(children[kept...]))
    for template in templates[kept...] { try Children.append(&run, template, to: stack, owner: owner, scope: context.scope) }
    return nil
  }

  /// Whether an existing node has the screen or flow and the params that the template would create. False for an ended flow: it handles no
  /// steps, so it must be replaced.
  private static func isInstance(_ run: borrowing Run, _ id: NodeID, of template: NodeTemplate, scope: Scope) throws(Refusal) -> Bool {
    guard let record = run.state.nodes.record(id) else { return false }
    switch template.target {
    case .missing: return false
    case .screen(let name): guard !record.isFlow, record.name == name else { return false }
    case .flow(let name): guard record.flow == name, !record.isEnded else { return false }
    }
    return run.state.nodes.details(of: record).params.isExactly(try Making.params(run, of: template, as: record, scope: scope))
  }
}
