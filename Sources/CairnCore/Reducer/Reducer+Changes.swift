extension Reducer {
  /// What a client plays on the old tree to get the new one: minimal, and legal in this order: dismiss, select, pop, push,
  /// present, update. Only nodes that stay are compared; what is new comes whole inside its parent's change.
  public func changes(from old: State, to new: State) -> [Change] {
    var dismissals: [Change] = []
    var selections: [Change] = []
    var pops: [Change] = []
    var pushes: [Change] = []
    var presentations: [Change] = []
    var updates: [Change] = []
    for id in old.subtree(of: old.root) {
      guard let before = old[id], let after = new[id], before != after else { continue }
      if let modal = before.presented, modal != after.presented { dismissals.append(.dismiss(node: modal)) }
      if let modal = after.presented, modal != before.presented {
        presentations.append(.present(on: id, node: tree(of: modal, in: new)))
      }
      if before.children != after.children {
        let (popped, pushed) = childChanges(before, after, in: new)
        pops += popped
        pushes += pushed
        // A tab is selected once the tabs are there; new tabs come with the first one selected.
        if let index = after.selected, index != 0 || before.children.isEmpty == false && before.selected != 0 && pushed.isEmpty {
          pushes.append(.select(in: id, index: index))
        }
      } else if let index = after.selected, index != before.selected {
        selections.append(.select(in: id, index: index))
      }
      let update = Change.Update(
        params: before.params == after.params ? nil : after.params,
        content: before.content == after.content ? nil : after.content ?? Content(status: .idle),
        ended: before.ended == after.ended ? nil : after.ended)
      if update != Change.Update() { updates.append(.update(node: id, update)) }
    }
    return dismissals + selections + pops + pushes + presentations + updates
  }

  /// Per container: a stack keeps its common beginning; one `replace` when only the top differs.
  private func childChanges(_ before: Node, _ after: Node, in new: State) -> (pops: [Change], pushes: [Change]) {
    let old = before.children
    let now = after.children
    let id = before.id
    let common = zip(old, now).prefix { $0 == $1 }.count
    let whole = Change.set(in: id, children: now.map { tree(of: $0, in: new) })
    switch before.kind {
    case .tabs: return ([], [whole])
    case .oneOf, .split:
      guard old.count == now.count, common == old.count - 1 else { return ([], [whole]) }
      return ([], [.replace(at: old[common], node: tree(of: now[common], in: new))])
    case .stack, .screen, .alert: break
    }
    let added = now.dropFirst(common)
    let kept = Set(old)
    if added.contains(where: kept.contains) {
      // Something below the top went, what was above it stays.
      let gone = old.filter { !now.contains($0) }
      let isRemoval = old.filter { now.contains($0) } == now
      return isRemoval ? (gone.map(Change.remove), []) : ([], [whole])
    }
    if common == old.count - 1, added.count == 1, !old.isEmpty {
      return ([], [.replace(at: old[common], node: tree(of: now[common], in: new))])
    }
    guard common > 0 || old.isEmpty else { return ([], [whole]) }
    let pops = common < old.count ? [Change.pop(in: id, to: old[common - 1])] : []
    return (pops, added.map { Change.push(in: id, node: tree(of: $0, in: new)) })
  }
}
