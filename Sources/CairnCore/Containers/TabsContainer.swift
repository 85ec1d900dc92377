/// The rules of tabs: one child is selected, and only that one is visible.
final class TabsContainer: ContainerRules, @unchecked Sendable {
  static let rules = TabsContainer()

  override func fault(of node: Node, in nodes: NodeTable) -> String? {
    node.children.isEmpty || node.selected.map { node.children.indices.contains($0) } ?? false
      ? nil : "tabs must select one of their children, not the index \(node.selected ?? -1)"
  }

  override func frontIndex(of count: Int, selected: Int?) -> Int? { selected.flatMap { (0..<count).contains($0) ? $0 : nil } }

  override var endsPop: Bool { true }

  override func tabsBehind(_ container: NodeRecord, _ flow: Program.Flow?, in nodes: NodeTable) -> [NodeID] {
    guard let index = container.selectedIndex, let manner = flow?.manner, manner.back != .nothing else { return [] }
    let tabs = nodes.children(of: container)
    let before = tabs.prefix(index)
    switch manner.back {
    case .nothing: return []
    case .first: return Array(before.prefix(1))
    case .order: return before.reversed()
    case .history:
      return nodes.details(of: container).visited.reversed().filter { $0 != tabs[index] && tabs.contains($0) } + before.prefix(1)
    }
  }

  override func selectableCount(of container: NodeRecord) -> Int? { Int(container.childCount) }

  /// Selects the first tab after all tabs have been replaced. If there are no tabs, selects nothing.
  override func noteSet(in tree: inout Tree, isNewKind: Bool) {
    super.noteSet(in: &tree, isNewKind: isNewKind)
    tree.selected = tree.children?.isEmpty == false ? 0 : nil
  }

  override func sketch(_ children: [String], selected: Int?) -> String {
    let all = children.enumerated().map { index, child in index == selected ? "*\(child)" : child }
    return "<\(all.joined(separator: ", "))>"
  }

  override func reveal(_ child: NodeRecord, of container: NodeRecord, in run: inout Run) {
    TabsOperations.select(&run, child.nodeID)
  }

  /// Adds the change that replaces all tabs and selects the first one, and a second change if another tab is selected. Tabs are never added
  /// one by one.
  override func note(_ children: ChildrenChange, in changes: inout Changes) {
    changes.add(children.whole, .bring)
    if let index = children.selected, index != 0 { changes.add(.select(in: children.container, index: index), .bring) }
  }
}

/// Operations that select tabs.
enum TabsOperations {
  /// Returns the nearest tabs that contain the selection, and the index of the tab. Searches the tabs around the node first, then the tabs
  /// among the node's frontmost descendants. A gesture does not reach tabs that a modal covers. Throws `no-tabs`, `hidden` or `invalid` if
  /// there is no such tab.
  static func tab(
    _ run: borrowing Run, _ selection: Action.Selection, around node: NodeID, isGesture: Bool = false
  ) throws(Refusal) -> (tabs: NodeID, index: Int) {
    let around = run.state.ancestors(of: node, acrossModals: true)
    let all = (around + front(run, below: node)).filter { run.state.nodes.record($0)?.kind == .tabs }
    let isHeld = isGesture && run.state.nodes.hasModals
    let candidates = isHeld ? all.filter { run.state.layer(of: $0) == run.state.frontLayer } : all
    if case .flow(let name) = selection, !run.definition.flows.contains(exactly: name) {
      let known = run.definition.flows.keys.sorted()
      let hint = NearestName.of(name, among: known).map { "did you mean \($0)?" } ?? "the app's flows are \(known.joined(separator: ", "))"
      throw Refusal(
        .invalid, "\(run.definition.app) has no flow \(name)", faults: [.init(pointer: "/flow", detail: "is unknown; \(hint)")])
    }
    guard let nearest = candidates.first else {
      // A modal need not be inside the tabs that it covers, because the root may present a modal over its own tabs.
      let covered = isHeld ? run.state.layers.dropLast().flatMap { [$0] + front(run, below: $0) } : []
      guard all.isEmpty, !covered.contains(where: { run.state.nodes.record($0)?.kind == .tabs }) else {
        throw Refusal(.hidden, "the tabs are covered by \(Children.name(run, of: run.state.frontLayer)); dismiss it first")
      }
      throw Refusal(.noTabs, "the visible screen is not inside tabs")
    }
    switch selection {
    case .tab(let index):
      let count = StackOperations.childCount(run, of: nearest)
      guard index >= 0 && index < count else {
        throw Refusal(
          .invalid, "there are only \(count) tabs", faults: [.init(pointer: "/tab", detail: "must be from 0 to \(count - 1)")])
      }
      return (nearest, index)
    case .flow(let name):
      for tabs in candidates {
        guard let index = run.state.nodes.children(of: tabs).firstIndex(where: { run.state.flowName(of: $0) == name }) else { continue }
        return (tabs, index)
      }
      throw Refusal(.noTabs, "no tabs around the visible screen contain \(name)")
    }
  }

  /// Performs the operation `select` of a handler with a place. Throws `no-tabs` if no tab is at the place, and `guarded` if the tab is closed.
  static func select(_ run: inout Run, _ place: Place, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    let search = PlaceSearch(place, in: context.scope, run.state, by: run.evaluator)
    let nodes = run.state.nodes
    let tab = search.nearest(from: run.state.speaker(context.scope.emitter)) { record in
      nodes.record(record.parent)?.kind == .tabs && !record.isPresented(in: nodes)
    }
    guard let tab else { throw Refusal(.noTabs, "no tabs contain \(place.name)") }
    return try TabGates.select(&run, tab)
  }

  /// Performs the operation `select` of a handler with an index. Throws `guarded` if the tab is closed.
  static func select(_ run: inout Run, _ selection: Action.Selection, around node: NodeID) throws(Refusal) -> NoChange? {
    let tab = try tab(run, selection, around: node)
    return try TabGates.select(&run, run.state.nodes.children(of: tab.tabs)[tab.index])
  }

  /// Selects a tab. With `isBack`, the gesture `back` selects the tab: the tab is removed from the history, and no other tab is added.
  /// Returns `already-selected` if the tab is selected already.
  @discardableResult static func select(_ run: inout Run, _ tab: NodeID, isBack: Bool = false) -> NoChange? {
    guard let record = run.state.nodes.record(tab), let tabs = record.parentID else { return .alreadySelected }
    run.linked?.node = tab
    if run.program.hasTabHistory { TabHistory.note(&run, tab, in: tabs, isBack: isBack) }
    return select(&run, at: Siblings.index(of: record, in: run.state.nodes), in: tabs)
  }

  /// Selects a tab by its index, without a change of the history. Returns `already-selected` if the tab is selected already.
  static func select(_ run: inout Run, at index: Int, in tabs: NodeID) -> NoChange? {
    guard run.state.nodes.record(tabs)?.selectedIndex != index else { return .alreadySelected }
    run.state.nodes.update(tabs) { $0.selected = Int32(index) }
    return nil
  }

  private static func front(_ run: borrowing Run, below node: NodeID) -> [NodeID] {
    var path: [NodeID] = []
    while let record = run.state.nodes.record(path.last ?? node), let next = run.state.front(of: record) { path.append(next) }
    return path
  }
}
