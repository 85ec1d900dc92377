/// The nodes whose records were written while this was recorded, which are those in which two versions may differ.
struct EditedNodes: Sendable {
  struct Edit: Sendable {
    var id: Int32
    /// The number of first children that were never removed; `nil` if any child may have been.
    var keptChildren: Int32?
  }

  /// The first edits, stored inline, because most actions write only a few records.
  private var few = InlineArray<8, Edit>(repeating: Edit(id: 0, keptChildren: nil))
  private var fewCount = 0
  /// All edits, if there are more. A node may occur several times.
  private var more: [Edit] = []

  /// Records a node. `keptChildren` has the meaning of `Edit.keptChildren`; `.max` if the children are unchanged.
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

  /// Sorts the edits by ascending id and joins those of the same node. Must be called before they are read.
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

  /// The number of edits after `sort`.
  var count: Int { more.isEmpty ? fewCount : more.count }

  /// The edit at an index after `sort`.
  subscript(index: Int) -> Edit { more.isEmpty ? few[index] : more[index] }

  /// Called after an edit was undone: the numbers of kept children are no longer valid.
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
