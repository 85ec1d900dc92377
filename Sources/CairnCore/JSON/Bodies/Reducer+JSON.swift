// Writes the view of a state directly from its records, without creating a tree and routes first.
extension Reducer {
  /// Writes the members `stack`, `tree` and `visible` of an open object.
  package func writeView(of state: State, to writer: inout JSONWriter) {
    writer.name("stack")
    let visible = write(routesOf: state, to: &writer)
    writer.name("tree")
    write(treeOf: state, to: &writer)
    // The visible route is the last one of the stack that belongs to the visible screen. If no screen is visible, `null` is written.
    writer.name("visible")
    if let visible { writer.again(visible) } else { writer.null() }
  }

  /// Writes the visible routes from the root to the leaf as an array. Returns the range of the visible screen's route in the output; `nil` if no screen is
  /// visible.
  @discardableResult
  package func write(routesOf state: State, to writer: inout JSONWriter) -> Range<Int>? {
    var walk = RouteWalk(visible: state.visibleRecord?.id ?? 0)
    let names = state.nodes.names
    writer.beginArray()
    if state.nodes.hasModals {
      for (place, layer) in state.layers.enumerated() {
        walk.isPresented = place > 0
        walk.write(below: state.nodes.record(layer), in: state.nodes, names, to: &writer)
      }
    } else {
      walk.write(below: state.nodes.record(state.root), in: state.nodes, names, to: &writer)
    }
    writer.endArray()
    return walk.place
  }

  /// Writes the tree as clients see it.
  package func write(treeOf state: State, to writer: inout JSONWriter) {
    TreeWalk(program: program, names: state.nodes.names, root: state.root).write(state.root, in: state.nodes, to: &writer)
  }
}

/// Writes the routes of a state.
private struct RouteWalk {
  let visible: Int32
  /// Whether the next route is the first one of a modal.
  var isPresented = false
  /// The range of the visible screen's route in the output; `nil` until it is written.
  private(set) var place: Range<Int>?
  /// The flow that handles the previous route's steps. Cached, because the next route usually has the same flow. `handlingFlow` is its
  /// node, and `flow` is the number of its name, or -1 if no flow handles the steps.
  private var handlingFlow: Int32 = 0
  private var flow: Int32 = -1

  init(visible: Int32) { self.visible = visible }

  mutating func write(below record: NodeRecord?, in nodes: NodeTable, _ names: Names, to writer: inout JSONWriter) {
    guard let record else { return }
    guard let rules = record.rules else { return write(record, in: nodes, names, to: &writer) }
    guard rules.isRouteOfAllChildren else {
      return write(below: rules.front(of: record, in: nodes), in: nodes, names, to: &writer)
    }
    var next = record.firstChild
    while let child = nodes.record(next) {
      write(below: child, in: nodes, names, to: &writer)
      next = child.next
    }
  }

  private mutating func write(_ record: NodeRecord, in nodes: NodeTable, _ names: Names, to writer: inout JSONWriter) {
    let start = writer.next
    findFlow(of: record, in: nodes)
    if flow >= 0 {
      writer.beginPieces(#"{"flow":"#)
      names.quoted.write(Int(flow), to: &writer)
      writer.buffer.append(#","id":"n"#)
    } else {
      writer.beginPieces(#"{"id":"n"#)
    }
    writer.buffer.append(digitsOf: record.id)
    writer.buffer.append("\"")
    nodes.withJSON(of: record) { $0.writeParams(to: &writer) }
    if isPresented { writer.buffer.append(#","presented":true"#) }
    writer.buffer.append(#","screen":"#)
    names.quoted.write(Int(record.name), to: &writer)
    writer.buffer.append("}")
    if record.id == visible { place = start..<writer.count }
    isPresented = false
  }

  /// Sets `flow` to the number of the flow that handles a route's steps.
  private mutating func findFlow(of record: NodeRecord, in nodes: NodeTable) {
    guard !record.isFlow else {
      handlingFlow = record.id
      return flow = record.flow
    }
    guard record.owner != handlingFlow else { return }
    handlingFlow = record.owner
    flow = record.ownerID.flatMap { nodes.record($0) }?.flow ?? -1
  }
}

/// Writes the tree of a state. The members of a node precede its children, as in the JSON of `Tree`.
struct TreeWalk {
  let program: Program
  let names: Names
  private let kinds = Node.Kind.texts
  let root: NodeID

  init(program: Program, names: Names, root: NodeID) {
    self.program = program
    self.names = names
    self.root = root
  }

  /// Writes a node with all its descendants.
  func write(_ id: NodeID, in nodes: NodeTable, to writer: inout JSONWriter) {
    guard let record = nodes.record(id) else { return Tree(id: id, kind: .screen, name: "").write(to: &writer) }
    write(record, in: nodes, to: &writer)
  }

  private func write(_ record: NodeRecord, in nodes: NodeTable, to writer: inout JSONWriter) {
    writeMembers(of: record, in: nodes, to: &writer)
    if !record.isLeaf {
      writer.name("children")
      writer.beginArray()
      var next = record.firstChild
      while let child = nodes.record(next) {
        write(child, in: nodes, to: &writer)
        next = child.next
      }
      writer.endArray()
    }
    if let modal = record.presentedID {
      writer.name("presented")
      write(modal, in: nodes, to: &writer)
    }
    if record.nodeID == root, nodes.hasModals, !nodes.levels.isEmpty {
      writer.name("levels")
      writer.beginArray()
      for modal in nodes.levels { write(modal, in: nodes, to: &writer) }
      writer.endArray()
    }
    if record.nodeID == root, nodes.hasModals, !nodes.overlays.isEmpty {
      writer.name("overlays")
      writer.beginArray()
      for overlay in nodes.overlays { write(overlay, in: nodes, to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  /// Opens the node's object and writes its own members.
  private func writeMembers(of record: NodeRecord, in nodes: NodeTable, to writer: inout JSONWriter) {
    writer.beginPieces(#"{"id":"n"#)
    writer.buffer.append(digitsOf: record.id)
    kinds.write(record.kindNumber, to: &writer)
    names.quoted.write(Int(record.name), to: &writer)
    if record.isLeaf, record.isFlow {
      writer.buffer.append(#","flow":"#)
      names.quoted.write(Int(record.flow), to: &writer)
    }
    nodes.withJSON(of: record) { $0.writeMembers(to: &writer) }
    writer.member("selected", ifPresent: record.selectedIndex)
    writer.member("style", ifPresent: record.style)
    if record.level != 0 {
      writer.member("level", ifPresent: record.shownLevel)
      writer.member("slot", ifPresent: nodes.details(of: record).slot)
    }
    writer.member("on", ifPresent: record.onID)
    writer.member("order", ifPresent: record.shownOrder)
    record.flags.writeShown(to: &writer)
    if program.hasMeta { writer.member("meta", ifPresent: program.meta(of: record, in: nodes)) }
  }
}

extension Node.Kind {
  /// The text between a node's number and its name, by the number of its kind.
  fileprivate static let texts = JSONTexts(allCases.map { kind in Array(#"","kind":"\#(kind.rawValue)","name":"#.utf8) })
}
