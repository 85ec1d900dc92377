// What is seen of a state, written as it is walked: no tree and no list of routes is made first.
extension Reducer {
  /// Members of an object that is open: `stack`, `tree` and `visible`.
  package func writeView(of state: State, to writer: inout JSONWriter) {
    writer.name("stack")
    let last = write(routesOf: state, to: &writer)
    writer.name("tree")
    write(treeOf: state, to: &writer)
    // What is visible is the last of the stack. Also when nothing is shown: a client finds `null`, not a missing member.
    writer.name("visible")
    if let last { writer.again(last) } else { writer.null() }
  }

  /// The visible routes from the root to the leaf, an array; gives where the last of them stands.
  @discardableResult
  package func write(routesOf state: State, to writer: inout JSONWriter) -> Range<Int>? {
    writer.beginArray()
    var last: Range<Int>?
    for (place, layer) in state.layers.enumerated() {
      var isPresented = place > 0
      writeRoutes(below: layer, in: state, isPresented: &isPresented, last: &last, to: &writer)
    }
    writer.endArray()
    return last
  }

  /// `isPresented`: the next one is the first of a modal.
  private func writeRoutes(
    below id: NodeID, in state: State, isPresented: inout Bool, last: inout Range<Int>?, to writer: inout JSONWriter
  ) {
    guard let node = state[id] else { return }
    switch node.kind {
    case .screen, .alert:
      let start = writer.next
      let flow = state.hearer(of: node).flatMap { state[$0]?.flow }
      RouteEntry.write(id, node.name, params: node.params, flow: flow, isPresented: isPresented, to: &writer)
      last = start..<writer.count
      isPresented = false
    case .stack, .split:
      for child in node.children { writeRoutes(below: child, in: state, isPresented: &isPresented, last: &last, to: &writer) }
    case .tabs, .oneOf:
      if let front = node.front { writeRoutes(below: front, in: state, isPresented: &isPresented, last: &last, to: &writer) }
    }
  }

  /// The tree as a client sees it, one value.
  package func write(treeOf state: State, to writer: inout JSONWriter) { write(state.root, in: state, to: &writer) }

  private func write(_ id: NodeID, in state: State, to writer: inout JSONWriter) {
    guard let node = state[id] else { return Tree(id: id, kind: .screen, name: "").write(to: &writer) }
    writer.beginObject()
    writeMembers(of: node, to: &writer)
    if !node.isLeaf {
      writer.name("children")
      writer.beginArray()
      for child in node.children { write(child, in: state, to: &writer) }
      writer.endArray()
    }
    if let modal = node.presented {
      writer.name("presented")
      write(modal, in: state, to: &writer)
    }
    writer.endObject()
  }

  /// A node's own members, in the order of a `Tree`'s.
  private func writeMembers(of node: Node, to writer: inout JSONWriter) {
    writer.member("id", node.id)
    writer.member("kind", node.kind)
    writer.member("name", node.name)
    if node.isLeaf { writer.member("flow", ifPresent: node.flow) }
    if !node.params.isEmpty { writer.member("params", node.params) }
    writer.member("content", ifPresent: node.content)
    writer.member("selected", ifPresent: node.selected)
    writer.member("style", ifPresent: node.style)
    writer.member("on", ifPresent: node.on)
    if node.ended { writer.member("ended", true) }
    writer.member("meta", ifPresent: meta(of: node))
  }

  private func meta(of node: Node) -> Value? {
    if let flow = node.flow, let meta = definition.flows[flow]?.meta { return meta }
    return node.isLeaf ? definition.screens[node.name]?.meta : nil
  }
}
