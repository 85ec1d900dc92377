import CairnCore

/// Draws a session's tree as lines. Below each node are its children, followed by the modals and overlays over it.
struct TreeDrawing {
  /// The difference of a node from the previous drawing.
  enum Mark { case new, changed }

  var isUnicode: Bool
  /// The id of the visible screen's node; `nil` if nothing is visible.
  var visible: NodeID?
  var marks: [NodeID: Mark] = [:]

  /// Draws the tree as text, one line per node.
  func lines(_ tree: Tree) -> [StyledLine] {
    var lines: [StyledLine] = []
    add(tree, first: "", rest: "", sign: "", to: &lines)
    return lines
  }

  /// The index of the visible screen's line in `lines`; `nil` if the tree does not contain the screen.
  func place(in tree: Tree) -> Int? { Self.place(of: visible, in: tree).place }

  /// Returns the index of a node's line in the lines of a tree, and the number of these lines.
  private static func place(of node: NodeID?, in tree: Tree) -> (place: Int?, count: Int) {
    var count = 1
    var place = tree.id == node ? 0 : nil
    for inner in tree.below {
      let found = Self.place(of: node, in: inner)
      place = place ?? found.place.map { count + $0 }
      count += found.count
    }
    return (place, count)
  }

  /// Adds the lines of a tree. `first` precedes the node's own line, and `rest` the lines below it. `sign` precedes the node's name.
  private func add(_ tree: Tree, first: String, rest: String, sign: String, to lines: inout [StyledLine]) {
    lines.append(line(tree, first, sign))
    let children = tree.children ?? []
    let modals = [tree.presented].compactMap(\.self) + (tree.overlays ?? []) + (tree.levels ?? [])
    for (index, child) in children.enumerated() {
      let isLast = index == children.count - 1 && modals.isEmpty
      add(child, first: rest + branch(isLast), rest: rest + trunk(isLast), sign: tabSign(of: index, in: tree), to: &lines)
    }
    for (index, modal) in modals.enumerated() {
      let isLast = index == modals.count - 1
      let sign = modal.slot.map { "+\($0)" } ?? (isUnicode ? "▲" : "^") + (modal.level.map { "\($0)" } ?? "")
      add(modal, first: rest + branch(isLast), rest: rest + trunk(isLast), sign: sign + " ", to: &lines)
    }
  }

  private func line(_ tree: Tree, _ first: String, _ sign: String) -> StyledLine {
    var line = StyledLine(first, .dim)
    line.add(sign, tree.kind == .alert ? .yellow : nil)
    let isVisible = tree.id == visible
    switch marks[tree.id] {
    case .new?: line.add("+ ", .green)
    case .changed?: line.add("~ ", .yellow)
    case nil: break
    }
    line.add(tree.name, isVisible ? .bold : nil)
    let params = (tree.params ?? [:]).sortedByKey.map { "\($0.key): \($0.value.shortText)" }
    if !params.isEmpty { line.add("(\(params.joined(separator: ", ")))", .cyan) }
    let words = words(tree)
    if !words.isEmpty { line.add("  " + words.joined(separator: ", "), .dim) }
    let facts = (tree.facts ?? [:]).sortedByKey.map { "\($0.key): \($0.value.shortText)" }
    if !facts.isEmpty { line.add("  {\(facts.joined(separator: ", "))}", .cyan) }
    if let content = content(tree) { line.add("  " + content.text, content.colour) }
    if isVisible { line.add(isUnicode ? "  ◀ visible" : "  <- visible", .green) }
    return line
  }

  private func words(_ tree: Tree) -> [String] {
    var words = tree.kind == .screen ? [] : [tree.kind.rawValue]
    if let style = tree.style, !words.contains(style.rawValue) { words.append(style.rawValue) }
    words += NodeFlags.rows.filter { tree.flags[$0.flag] }.compactMap { $0.shown?.description }
    return words
  }

  private func content(_ tree: Tree) -> (text: String, colour: StyledLine.Colour?)? {
    switch tree.content?.status {
    case nil, .idle: nil
    case .loading: (isUnicode ? "loading…" : "loading...", .yellow)
    case .failed: ("failed" + (tree.content?.error.map { ": \($0)" } ?? ""), .red)
    case .loaded: ("loaded" + (tree.content?.value.map { " \($0.shortText)" } ?? ""), .dim)
    }
  }

  private func tabSign(of index: Int, in tree: Tree) -> String {
    guard tree.kind == .tabs else { return "" }
    let isSelected = tree.selected == index
    return isUnicode ? (isSelected ? "● " : "○ ") : (isSelected ? "* " : "o ")
  }

  private func branch(_ isLast: Bool) -> String { isUnicode ? (isLast ? "└─ " : "├─ ") : (isLast ? "`- " : "|- ") }

  private func trunk(_ isLast: Bool) -> String { isLast ? "   " : (isUnicode ? "│  " : "|  ") }
}
