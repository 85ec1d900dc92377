extension Tree {
  /// Applies changes in order, as a client does. Returns false if a change cannot be applied; the earlier changes remain applied.
  public mutating func play(_ changes: [Change]) -> Bool {
    for change in changes {
      let target: NodeID
      switch change {
      case .push(let id, _), .pop(let id, _), .set(let id, _, _), .select(let id, _), .present(let id, _), .update(let id, _): target = id
      case .replace(let id, _), .remove(let id), .dismiss(let id): target = id
      case .overlay(let node):
        guard lay(node) else { return false }
        continue
      }
      guard play(change, at: target) else { return false }
    }
    return true
  }

  /// Applies the change to its target, or for `replace`, `remove` and `dismiss` to the node that contains the target. Returns `false` if
  /// the target is not found.
  private mutating func play(_ change: Change, at target: NodeID) -> Bool {
    if id == target, case .replace(_, let node) = change {
      self = node
      return true
    }
    if id == target, apply(change) { return true }
    for index in (children ?? []).indices where children?[index].id == target {
      switch change {
      case .replace(_, let node):
        children?[index] = node
        return true
      case .remove:
        children?.remove(at: index)
        return true
      default: break
      }
    }
    if presented?.id == target, case .dismiss = change {
      presented = nil
      return true
    }
    if case .dismiss = change, let index = levels?.firstIndex(where: { $0.id == target }) {
      levels?.remove(at: index)
      if levels?.isEmpty == true { levels = nil }
      return true
    }
    if case .dismiss = change, let index = overlays?.firstIndex(where: { $0.id == target }) {
      overlays?.remove(at: index)
      if overlays?.isEmpty == true { overlays = nil }
      return true
    }
    for index in (overlays ?? []).indices where overlays?[index].play(change, at: target) == true { return true }
    for index in (levels ?? []).indices where levels?[index].play(change, at: target) == true { return true }
    if var modal = presented, modal.play(change, at: target) {
      presented = modal
      return true
    }
    for index in (children ?? []).indices where children?[index].play(change, at: target) == true { return true }
    return false
  }

  private mutating func apply(_ change: Change) -> Bool {
    switch change {
    case .push(_, let node): children?.append(node)
    case .pop(_, let to):
      guard let index = children?.firstIndex(where: { $0.id == to }) else { return false }
      children?.removeSubrange((index + 1)...)
    case .set(_, let kind, let new):
      children = new
      if let kind { self.kind = kind }
      if kind != nil { Collapsing.noteNewKind(of: &self) }
      self.kind.rules?.noteSet(in: &self, isNewKind: kind != nil)
    case .select(_, let index): selected = index
    case .present(_, let node) where node.level != nil: return raise(node)
    case .present(_, let node):
      guard presented == nil else { return false }
      presented = node
    case .update(_, let update):
      if let params = update.params { self.params = params.isEmpty ? nil : params }
      if let facts = update.facts { self.facts = facts.isEmpty ? nil : facts }
      if let content = update.content { self.content = content }
      if let ended = update.ended { isEnded = ended }
    case .replace, .remove, .dismiss, .overlay: return false
    }
    return true
  }

  /// Adds an overlay to the root. Returns false if its slot is occupied.
  private mutating func lay(_ node: Tree) -> Bool {
    var all = overlays ?? []
    guard node.slot != nil, !all.contains(where: { $0.slot == node.slot }) else { return false }
    all.insert(node, at: all.firstIndex { node.id < $0.id } ?? all.count)
    overlays = all
    return true
  }

  /// Inserts a node on its level. Returns false if the level is occupied.
  private mutating func raise(_ node: Tree) -> Bool {
    var raised = levels ?? []
    guard let level = node.level, !raised.contains(where: { $0.level == level }) else { return false }
    raised.insert(node, at: raised.firstIndex { level < $0.level ?? 0 } ?? raised.count)
    levels = raised
    return true
  }
}
