/// The nodes whose records were written, while that is noted: what two versions may differ in.
struct EditedNodes: Sendable {
  struct Edit: Sendable {
    var id: Int32
    /// So many of its first children were never taken out; nil: any of them may have been.
    var keptChildren: Int32?
  }

  /// Most actions write a few records: these need no memory of their own.
  private var few = InlineArray<8, Edit>(repeating: Edit(id: 0, keptChildren: nil))
  private var fewCount = 0
  /// A node may stand here more than once.
  private var more: [Edit] = []

  /// Notes a node. `keptChildren`: as for an edit; `.max` if the children are unchanged.
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

  /// Puts the edits in order, one a node, ascending by id: before they are looked at.
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

  /// How many there are, once they are sorted.
  var count: Int { more.isEmpty ? fewCount : more.count }

  /// From 0 on, once they are sorted.
  subscript(index: Int) -> Edit { more.isEmpty ? few[index] : more[index] }

  /// An edit was taken back: what children were kept is not known any more.
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
