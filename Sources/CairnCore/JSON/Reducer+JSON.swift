// What is seen of a state, written as it is walked: no tree and no list of routes is made first.
extension Reducer {
  /// Members of an object that is open: `stack`, `tree` and `visible`.
  package func writeView(of state: State, to writer: inout JSONWriter) {
    writer.name("stack")
    let visible = write(routesOf: state, to: &writer)
    writer.name("tree")
    write(treeOf: state, to: &writer)
    // What is visible stands in the stack. Also when nothing is shown: a client finds `null`, not a missing member.
    writer.name("visible")
    if let visible { writer.again(visible) } else { writer.null() }
  }

  /// The visible routes from the root to the leaf, an array; gives where the visible one stands in it.
  @discardableResult
  package func write(routesOf state: State, to writer: inout JSONWriter) -> Range<Int>? {
    var walk = RouteWalk(program: program, visible: state.visibleRecord?.nodeID)
    writer.beginArray()
    for (place, layer) in state.layers.enumerated() {
      walk.isPresented = place > 0
      walk.write(below: layer, in: state, to: &writer)
    }
    writer.endArray()
    return walk.place
  }

  /// The tree as a client sees it, one value.
  package func write(treeOf state: State, to writer: inout JSONWriter) { program.write(state.root, in: state, to: &writer) }
}

/// The routes of a state on their way into JSON.
private struct RouteWalk {
  let program: Program
  let visible: NodeID?
  /// The next one is the first of a modal.
  var isPresented = false
  /// Where the visible one stands.
  var place: Range<Int>?

  mutating func write(below id: NodeID, in state: State, to writer: inout JSONWriter) {
    guard let record = state.nodes.record(id) else { return }
    guard let rules = record.kind.rules else { return write(record, in: state, to: &writer) }
    if rules.isRouteOfAllChildren {
      state.nodes.forEachChild(of: record) { write(below: $0.nodeID, in: state, to: &writer) }
    } else if let front = state.front(of: record) {
      write(below: front, in: state, to: &writer)
    }
  }

  private mutating func write(_ record: NodeRecord, in state: State, to writer: inout JSONWriter) {
    let start = writer.next
    writer.beginObject()
    if let hearer = record.hearer, let flow = state.nodes.record(hearer), flow.isFlow {
      writer.name("flow")
      writer.raw(state.nodes.names.quoted[Int(flow.flow)])
    }
    writer.member("id", record.nodeID)
    if let details = state.nodes.storedDetails(of: record), !details.params.isEmpty { writer.raw(details.json.params) }
    if isPresented { writer.member("presented", true) }
    writer.name("screen")
    writer.raw(state.nodes.names.quoted[Int(record.name)])
    writer.endObject()
    if record.nodeID == visible { place = start..<writer.count }
    isPresented = false
  }
}

extension Program {
  /// A node with all that is below it: its own members first, in the order of a `Tree`'s.
  fileprivate func write(_ id: NodeID, in state: State, to writer: inout JSONWriter) {
    guard let record = state.nodes.record(id) else { return Tree(id: id, kind: .screen, name: "").write(to: &writer) }
    writer.beginObject()
    writeMembers(of: record, in: state.nodes, to: &writer)
    if !record.isLeaf {
      writer.name("children")
      writer.beginArray()
      state.nodes.forEachChild(of: record) { write($0.nodeID, in: state, to: &writer) }
      writer.endArray()
    }
    if let modal = record.presentedID {
      writer.name("presented")
      write(modal, in: state, to: &writer)
    }
    if id == state.root, state.nodes.hasModals { writeLevels(of: state, to: &writer) }
    writer.endObject()
  }

  private func writeLevels(of state: State, to writer: inout JSONWriter) {
    guard !state.nodes.levels.isEmpty else { return }
    writer.name("levels")
    writer.beginArray()
    for modal in state.nodes.levels { write(modal, in: state, to: &writer) }
    writer.endArray()
  }

  private func writeMembers(of record: NodeRecord, in nodes: NodeTable, to writer: inout JSONWriter) {
    writer.member("id", record.nodeID)
    writer.member("kind", record.kind)
    writer.name("name")
    writer.raw(nodes.names.quoted[Int(record.name)])
    if record.isLeaf, record.isFlow {
      writer.name("flow")
      writer.raw(nodes.names.quoted[Int(record.flow)])
    }
    if let details = nodes.storedDetails(of: record) {
      if !details.params.isEmpty { writer.raw(details.json.params) }
      if details.content != nil { writer.raw(details.json.content) }
    }
    writer.member("selected", ifPresent: record.selectedIndex)
    writer.member("style", ifPresent: record.style)
    if record.level != 0 { writer.member("level", record.level) }
    writer.member("on", ifPresent: record.onID)
    if record.isEnded { writer.member("ended", true) }
    if record.isGuarded { writer.member("guarded", true) }
    if record.isCollapsed { writer.member("collapsed", true) }
    writer.member("meta", ifPresent: meta(of: record, in: nodes))
  }
}
