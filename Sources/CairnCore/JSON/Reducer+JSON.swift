// The view of a state, written while its records are walked: no tree and no list of routes is made first.
extension Reducer {
  /// Members of an object that is open: `stack`, `tree` and `visible`.
  package func writeView(of state: State, to writer: inout JSONWriter) {
    writer.name("stack")
    let visible = write(routesOf: state, to: &writer)
    writer.name("tree")
    write(treeOf: state, to: &writer)
    // The visible route is the end of the stack. Also if nothing is shown: a client finds `null`, not a missing member.
    writer.name("visible")
    if let visible { writer.again(visible) } else { writer.null() }
  }

  /// The visible routes from the root to the leaf, an array; gives where the visible one stands in it.
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

  /// The tree as a client sees it, one value.
  package func write(treeOf state: State, to writer: inout JSONWriter) {
    TreeWalk(program: program, names: state.nodes.names, root: state.root).write(state.root, in: state.nodes, to: &writer)
  }
}

/// The routes of a state on their way into JSON.
private struct RouteWalk {
  let visible: Int32
  /// Whether the next route is the first of a modal.
  var isPresented = false
  /// Where the visible one stands.
  private(set) var place: Range<Int>?
  /// The flow that handles the last route's steps, cached since the next route usually has the same; -1: none.
  private var hearer: Int32 = 0
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
      writer.piece(#","id":"n"#)
    } else {
      writer.beginPieces(#"{"id":"n"#)
    }
    writer.digitsPiece(record.id)
    writer.piece("\"")
    nodes.withJSON(of: record) { $0.writeParams(to: &writer) }
    if isPresented { writer.piece(#","presented":true"#) }
    writer.piece(#","screen":"#)
    names.quoted.write(Int(record.name), to: &writer)
    writer.piece("}")
    if record.id == visible { place = start..<writer.count }
    isPresented = false
  }

  /// Finds the flow that handles a route's steps.
  private mutating func findFlow(of record: NodeRecord, in nodes: NodeTable) {
    guard !record.isFlow else {
      hearer = record.id
      return flow = record.flow
    }
    guard record.owner != hearer else { return }
    hearer = record.owner
    flow = record.ownerID.flatMap { nodes.record($0) }?.flow ?? -1
  }
}

/// The tree of a state on its way into JSON: a node's own members come first, in the order of a `Tree`'s.
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

  /// A node with all that is below it.
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
    writer.endObject()
  }

  /// Opens the node's object and writes what it says of itself.
  private func writeMembers(of record: NodeRecord, in nodes: NodeTable, to writer: inout JSONWriter) {
    writer.beginPieces(#"{"id":"n"#)
    writer.digitsPiece(record.id)
    kinds.write(record.kindNumber, to: &writer)
    names.quoted.write(Int(record.name), to: &writer)
    if record.isLeaf, record.isFlow {
      writer.piece(#","flow":"#)
      names.quoted.write(Int(record.flow), to: &writer)
    }
    nodes.withJSON(of: record) { $0.writeMembers(to: &writer) }
    writer.member("selected", ifPresent: record.selectedIndex)
    writer.member("style", ifPresent: record.style)
    if record.level != 0 { writer.member("level", record.level) }
    writer.member("on", ifPresent: record.onID)
    record.flags.writeShown(to: &writer)
    if program.hasMeta { writer.member("meta", ifPresent: program.meta(of: record, in: nodes)) }
  }
}

extension Node.Kind {
  /// The text between the number of a node and its name, by the number of its kind in a record.
  fileprivate static let texts = JSONTexts(allCases.map { kind in Array(#"","kind":"\#(kind.rawValue)","name":"#.utf8) })
}
