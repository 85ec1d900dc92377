extension State {
  /// Returns the state with new ids of some nodes, so that its nodes can be compared with those of another state. Other parts of the state
  /// keep the old ids.
  func renaming(_ renamed: [NodeID: NodeID]) -> State {
    func new(_ id: NodeID) -> NodeID { renamed[id] ?? id }
    var state = self
    state.root = new(root)
    var nodes = NodeTable()
    nodes.adopt(self.nodes.names)
    let moved = self.nodes.values.map { $0.renaming(new) }.sorted { $0.id < $1.id }
    for node in moved { NodeFilling.put(node, into: &nodes) }
    for node in moved { _ = NodeFilling.addChildren(node.children, to: node.id, in: &nodes) }
    state.nodes = nodes
    return state
  }
}

extension Node {
  fileprivate func renaming(_ new: (NodeID) -> NodeID) -> Node {
    var node = Node(id: new(id), kind: kind, name: name, owner: owner.map(new), parent: parent.map(new))
    node.flow = flow
    node.children = children.map(new)
    node.selected = selected
    node.presented = presented.map(new)
    node.style = style
    node.on = on.map(new)
    node.params = params
    node.facts = facts
    node.content = content
    node.flags = flags
    node.leave = leave
    node.visited = visited.map(new)
    node.slot = slot
    node.level = level
    // The `order` comes from the same sequence of numbers as the ids.
    node.order = order.map(new)
    return node
  }
}
