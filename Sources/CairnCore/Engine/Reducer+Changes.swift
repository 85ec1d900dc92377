extension Reducer {
  /// The changes that a client applies, in their order (`Changes.Phase`), to the old tree to get the new one. Only nodes that exist in both states are
  /// compared; a new node is sent whole in its parent's change.
  public func changes(from old: State, to new: State) -> [Change] {
    program.changes(of: .between(old, and: new), from: old, to: new).inOrder.map { $0.change(in: new, by: program) }
  }
}

extension Program {
  /// The changes from an old to a new state, of which `survivors` are the nodes that exist in both and differ.
  func changes(of survivors: Survivors, from old: State, to new: State) -> Changes {
    var changes = Changes()
    let mayHaveMoved = old.nodes.hasModals && new.nodes.hasModals
    let hasLevels = old.nodes.hasLevels || new.nodes.hasLevels
    if hasLevels { noteLevels(from: old, to: new, in: &changes) }
    for index in 0..<survivors.count {
      guard let survivor = survivors[index] else { continue }
      let id = survivor.id
      if mayHaveMoved { noteRaised(id, from: old, to: new, in: &changes) }
      guard let before = old.nodes.record(id), let after = new.nodes.record(id), new.stands(after), old.stands(before),
        !changes.hold(id, in: new), !mayHaveMoved || !isInsideMoved(after, from: old, to: new),
        !hasLevels || !Levels.isWaiting(old, id) && !Levels.isWaiting(new, id)
      else { continue }
      if before.presented != after.presented {
        if let modal = before.presentedID { changes.add(.dismiss(modal), .dismiss) }
        if let modal = after.presentedID { changes.add(.present(on: id, node: modal), .present) }
      }
      noteChildren(of: before, after, kept: survivor.keptChildren, from: old, to: new, in: &changes)
      noteUpdate(of: before, after, from: old, to: new, in: &changes)
    }
    return changes
  }

  /// Adds the changes of a modal that has been put in front again, and that the same node still presents.
  private func noteRaised(_ id: NodeID, from old: State, to new: State, in changes: inout Changes) {
    guard let before = old.nodes.record(id), let after = new.nodes.record(id), before.order != after.order, after.level == 0,
      let presenter = new.nodes.record(after.parent), presenter.presented == after.id,
      old.nodes.record(before.parent)?.presented == before.id, before.parent == after.parent, old.stands(before), new.stands(after),
      !changes.hold(id, in: new), !isInsideMoved(presenter, from: old, to: new)
    else { return }
    changes.add(.dismiss(id), .dismiss)
    changes.add(.present(on: presenter.nodeID, node: id), .present)
  }

  /// Whether a node is a moved modal, or is inside one. A modal has moved if its presenter, its level or its order among the modals has
  /// changed. A moved modal is sent whole.
  private func isInsideMoved(_ record: NodeRecord, from old: State, to new: State) -> Bool {
    var next: NodeRecord? = record
    while let after = next {
      if after.isPresented(in: new.nodes), let before = old.nodes.record(after.nodeID), old.stands(before), !before.waits,
        before.parent != after.parent || before.level != after.level || before.order != after.order
      {
        return true
      }
      next = new.nodes.record(after.parent)
    }
    return false
  }

  /// Adds the changes of modals on levels and of overlays. A node that no longer waits is sent whole, like a new one.
  private func noteLevels(from old: State, to new: State, in changes: inout Changes) {
    for modal in old.nodes.levels where !new.nodes.levels.contains(modal) { changes.add(.dismiss(modal), .dismiss) }
    for modal in new.nodes.levels where !old.nodes.levels.contains(modal) {
      changes.add(.present(on: new.root, node: modal), .present)
    }
    for overlay in old.nodes.overlays where !new.nodes.overlays.contains(overlay) { changes.add(.dismiss(overlay), .dismiss) }
    for overlay in new.nodes.overlays where !old.nodes.overlays.contains(overlay) { changes.add(.overlay(overlay), .overlay) }
  }

  /// Adds the change of a node's children or selection. `kept` is the number of unchanged children at the beginning; `nil` if the number is
  /// unknown.
  private func noteChildren(
    of before: NodeRecord, _ after: NodeRecord, kept: Int32?, from old: State, to new: State, in changes: inout Changes
  ) {
    if before.isCollapsed != after.isCollapsed {
      return changes.add(.set(in: after.nodeID, kind: after.kind), .bring)
    }
    if !NodeDifference.haveSameChildren(after, in: new.nodes, before, in: old.nodes, kept: kept) {
      guard let rules = before.rules else { return }
      if let kept, let change = rules.change(of: before, to: after, kept: kept) { return changes.add(change.note, change.phase) }
      rules.note(ChildrenChange(of: before, in: old, to: after, in: new, kept: kept), in: &changes)
    } else if let index = after.selectedIndex, before.selected != after.selected {
      changes.add(.select(in: after.nodeID, index: index), .select)
    }
  }

  private func noteUpdate(of before: NodeRecord, _ after: NodeRecord, from old: State, to new: State, in changes: inout Changes) {
    guard !new.nodes.sharesDetails(of: after, with: before, in: old.nodes) || before.isEnded != after.isEnded else { return }
    let (was, now) = (old.nodes.details(of: before), new.nodes.details(of: after))
    let members = UpdatedMembers(
      params: was.params != now.params, facts: was.facts != now.facts, content: was.content != now.content,
      ended: before.isEnded != after.isEnded)
    if !members.isEmpty { changes.add(.update(after.nodeID, members), .update) }
  }
}
