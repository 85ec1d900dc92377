/// The nodes whose records were written during an action. Only these can differ between the versions before and after the action.
struct EditedNodes: Sendable {
  struct Edit: Sendable {
    var id: Int32
    /// The number of leading children that were never removed; `nil` if any child may have been removed.
    var keptChildren: Int32?
  }

  /// The first edits are stored inline, because most actions write few records.
  private var few = InlineArray<8, Edit>(repeating: Edit(id: 0, keptChildren: nil))
  private var fewCount = 0
  /// The edits that do not fit into `few`. If there are any, `sort` moves all edits into this array. Until then, the array may contain
  /// several edits of a node.
  private var more: [Edit] = []

  /// Records that a node was written. Pass `.max` for `keptChildren` if the children are unchanged.
  mutating func note(_ id: Int32, keptChildren: Int32? = .max) {
    for index in 0..<fewCount where few[index].id == id { return few[index].merge(keptChildren) }
    guard fewCount == few.count else {
      few[fewCount] = Edit(id: id, keptChildren: keptChildren)
      fewCount += 1
      return
    }
    if let last = more.indices.last, more[last].id == id {
      more[last].merge(keptChildren)
    } else {
      more.append(Edit(id: id, keptChildren: keptChildren))
    }
  }

  /// Sorts the edits by id, with one edit per node. Must be called before the edits are read.
  mutating func sort() {
    guard more.isEmpty else { return sortMany() }
    for end in 1..<max(1, fewCount) {
      let edit = few[end]
      var place = end
      while place > 0, few[place - 1].id > edit.id {
        few[place] = few[place - 1]
        place -= 1
      }
      few[place] = edit
    }
  }

  private mutating func sortMany() {
    var all = more
    for index in 0..<fewCount { all.append(few[index]) }
    all.sort { $0.id < $1.id }
    (more, fewCount) = ([], 0)
    for edit in all {
      if let last = more.indices.last, more[last].id == edit.id { more[last].merge(edit.keptChildren) } else { more.append(edit) }
    }
  }

  /// The number of edits. Valid after `sort`.
  var count: Int { more.isEmpty ? fewCount : more.count }

  /// The edit at an index. Valid after `sort`.
  subscript(index: Int) -> Edit { more.isEmpty ? few[index] : more[index] }

  /// Marks all children as possibly changed, because edits were undone.
  mutating func forgetKeptChildren() {
    for index in 0..<fewCount { few[index].keptChildren = nil }
    for index in more.indices { more[index].keptChildren = nil }
  }
}

extension EditedNodes.Edit {
  fileprivate mutating func merge(_ kept: Int32?) {
    keptChildren = keptChildren.flatMap { mine in kept.map { min(mine, $0) } }
  }
}
