/// The order in which `back: history` selects tabs: the tabs that the user has left, each once, the tab left last first. Selections by gestures,
/// handlers and links count. The initial selection and selections by `back` do not count.
enum TabHistory {
  /// Clears the history after all tabs have been replaced, and selects the first tab that can be selected. If there is none, the selection
  /// does not change.
  static func begin(_ run: inout Run, _ tabs: NodeID) {
    set(&run, [], of: tabs)
    guard run.program.hasGates else { return }
    let open = run.state.nodes.children(of: tabs).firstIndex { !TabGates.isClosed($0, run.state, run.evaluator) }
    if let open, open > 0 { run.state.nodes.update(tabs) { $0.selected = Int32(open) } }
  }

  /// Updates the history before `tab` is selected: removes `tab` from it and, unless `isBack` is set, adds the tab that is selected now.
  static func note(_ run: inout Run, _ tab: NodeID, in tabs: NodeID, isBack: Bool) {
    guard let record = run.state.nodes.record(tabs), run.program.flow(of: record)?.manner.back == .history else { return }
    guard run.state.front(of: record) != tab else { return }
    let left = isBack ? nil : run.state.front(of: record)
    let visited = run.state.nodes.details(of: record).visited.filter { $0 != tab && $0 != left }
    set(&run, visited + (left.map { [$0] } ?? []), of: tabs)
    if !isBack { run.selectedTabs = tabs }
  }

  private static func set(_ run: inout Run, _ visited: [NodeID], of tabs: NodeID) {
    var terms = run.state.nodes.details(of: tabs).terms
    guard terms.visited != visited else { return }
    terms.visited = visited
    run.state.nodes.setDetails(run.state.nodes.details(of: tabs).with(terms), of: tabs)
  }

  /// If the action has selected a tab and pushed pages in it, marks the lowest of these pages. `back` from this page returns to the
  /// previous tab, because the user has not seen the pages under it. Users of several libraries have reported that `back` led to a tab's
  /// first page, which they had not opened.
  static func noteArrival(_ run: inout Run, in tabs: NodeID) {
    guard let record = run.state.nodes.record(tabs), run.state.stands(record), let stack = Gestures.stackToReselect(run.state, in: record)
    else { return }
    let page = run.state.nodes.children(of: stack).dropFirst().first { $0.number >= run.firstNode }
    if let page { run.state.nodes.update(page) { $0.cameWithTab = true } }
  }

  /// The tab to which `back` returns when it pops the page; `nil` if `back` does not change the tab.
  static func tab(_ run: borrowing Run, leftWith page: NodeID) -> NodeID? {
    guard run.state.nodes.record(page)?.cameWithTab == true else { return nil }
    for id in run.state.ancestors(of: page, acrossModals: false) {
      guard let record = run.state.nodes.record(id), let rules = record.rules else { continue }
      let tabs = rules.tabsBehind(record, run.program.flow(of: record), in: run.state.nodes)
      if let tab = tabs.first(where: { !TabGates.isClosed($0, run.state, run.evaluator) }) { return tab }
    }
    return nil
  }
}
