// What is seen of a state, written as it is walked: no tree and no list of routes is made first.
extension Reducer {
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
