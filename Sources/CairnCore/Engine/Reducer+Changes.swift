extension Reducer {
  /// What a client plays on the old tree to get the new one: minimal, and legal in this order: dismiss, select, pop, push,
  /// present, update. Only nodes that stay are compared; what is new comes whole inside its parent's change.
  public func changes(from old: State, to new: State) -> [Change] {
    changes(new.nodes.difference(from: old.nodes), from: old, to: new)
  }

  /// The same of a difference that is known.
  func changes(_ difference: NodeDifference, from old: State, to new: State) -> [Change] {
    var changes = Changes()
    for id in old.inTreeOrder(difference.changed) {
      guard let before = old.nodes.record(id), let after = new.nodes.record(id) else { continue }
      if before.presented != after.presented {
        if let modal = before.presentedID { changes.dismissals.append(.dismiss(node: modal)) }
        if let modal = after.presentedID { changes.presentations.append(.present(on: id, node: tree(of: modal, in: new))) }
      }
      noteChildren(of: before, after, from: old, to: new, in: &changes)
      noteUpdate(of: before, after, from: old, to: new, in: &changes)
    }
    return changes.inOrder
  }

  private func noteChildren(of before: NodeRecord, _ after: NodeRecord, from old: State, to new: State, in changes: inout Changes) {
    guard before.children != after.children || before.selected != after.selected else { return }
    let children = ChildrenChange(
      of: after.nodeID, from: old.nodes.children(of: before), to: new.nodes.children(of: after), tree: { tree(of: $0, in: new) })
    guard !children.isEmpty else {
      if let index = after.selectedIndex, before.selected != after.selected {
        changes.selections.append(.select(in: after.nodeID, index: index))
      }
      return
    }
    let (takes, brings) = before.kind.container?.changes(children) ?? StackContainer.changes(children)
    changes.takes += takes
    changes.brings += brings
    // A tab is selected once the tabs are there; new tabs come with the first one selected.
    if let index = after.selectedIndex, index != 0 || !children.before.isEmpty && before.selectedIndex != 0 && brings.isEmpty {
      changes.brings.append(.select(in: after.nodeID, index: index))
    }
  }

  private func noteUpdate(of before: NodeRecord, _ after: NodeRecord, from old: State, to new: State, in changes: inout Changes) {
    guard before.details != after.details || before.isEnded != after.isEnded else { return }
    let (was, now) = (old.nodes.details(of: before), new.nodes.details(of: after))
    let update = Change.Update(
      params: was.params == now.params ? nil : now.params,
      content: was.content == now.content ? nil : now.content ?? Content(status: .idle),
      ended: before.isEnded == after.isEnded ? nil : after.isEnded)
    if update != Change.Update() { changes.updates.append(.update(node: after.nodeID, update)) }
  }
}

/// Changes by when they are played.
private struct Changes {
  var dismissals: [Change] = []
  var selections: [Change] = []
  var takes: [Change] = []
  var brings: [Change] = []
  var presentations: [Change] = []
  var updates: [Change] = []

  /// Mostly one list holds all there are.
  var inOrder: [Change] {
    var all: [Change] = []
    for list in [dismissals, selections, takes, brings, presentations, updates] where !list.isEmpty {
      if all.isEmpty { all = list } else { all += list }
    }
    return all
  }
}

extension State {
  /// Living nodes in the order in which the tree is walked: a container, its children in order, then its modal.
  fileprivate func inTreeOrder(_ ids: [NodeID]) -> [NodeID] {
    guard ids.count > 1 else { return ids }
    if ids.count > 16 {
      let wanted = Set(ids)
      return subtree(of: root).filter(wanted.contains)
    }
    return ids.map { (id: $0, way: way(to: $0)) }.sorted { $0.way.lexicographicallyPrecedes($1.way) }.map(\.id)
  }

  /// At which child it goes on, from the root to a node; a modal comes behind all children.
  private func way(to id: NodeID) -> [Int] {
    var way: [Int] = []
    var here = id
    while let record = nodes.record(here), let parent = record.parentID, let container = nodes.record(parent) {
      way.append(container.presented == record.id ? .max : nodes.children(of: container).firstIndex(of: here) ?? .max)
      here = parent
    }
    return way.reversed()
  }
}
