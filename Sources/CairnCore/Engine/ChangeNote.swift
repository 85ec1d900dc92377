/// A change that refers to nodes only by their ids. Its value, its JSON and its size are computed when needed, from the state after the
/// change.
enum ChangeNote {
  case push(in: NodeID, node: NodeID)
  case pop(in: NodeID, to: NodeID)
  /// Replaces all children. If `kind` is given, a split has changed its layout to a stack or back.
  case set(in: NodeID, kind: Node.Kind? = nil)
  case replace(at: NodeID, node: NodeID)
  case remove(NodeID)
  case present(on: NodeID, node: NodeID)
  case dismiss(NodeID)
  /// Shows an overlay in its slot.
  case overlay(NodeID)
  case select(in: NodeID, index: Int)
  /// The changed members of a node that existed before.
  case update(NodeID, UpdatedMembers)

  /// The change as a value. `state` is the later state.
  func change(in state: State, by program: Program) -> Change {
    switch self {
    case .push(let container, let node): .push(in: container, node: program.tree(of: node, in: state))
    case .pop(let container, let node): .pop(in: container, to: node)
    case .set(let container, let kind):
      .set(in: container, kind: kind, children: state.nodes.children(of: container).map { program.tree(of: $0, in: state) })
    case .replace(let old, let node): .replace(at: old, node: program.tree(of: node, in: state))
    case .remove(let node): .remove(node: node)
    case .present(let presenter, let node): .present(on: presenter, node: program.tree(of: node, in: state))
    case .dismiss(let node): .dismiss(node: node)
    case .overlay(let node): .overlay(node: program.tree(of: node, in: state))
    case .select(let container, let index): .select(in: container, index: index)
    case .update(let node, let members): .update(node: node, Self.update(of: node, in: state.nodes, members))
    }
  }

  /// The approximate size of the change in bytes.
  func size(in state: State) -> Int {
    switch self {
    case .push(_, let node), .replace(_, let node), .present(_, let node), .overlay(let node): 64 + Self.size(of: node, in: state)
    case .set(let container, _): state.nodes.children(of: container).reduce(64) { $0 + Self.size(of: $1, in: state) }
    case .update(let node, let members): 64 + members.size(in: state.nodes.details(of: node))
    case .pop, .remove, .dismiss, .select: 64
    }
  }

  /// The changed members of a node, with their values in `nodes`, the table of the later state.
  private static func update(of node: NodeID, in nodes: NodeTable, _ members: UpdatedMembers) -> Change.Update {
    guard let record = nodes.record(node) else { return Change.Update() }
    let details = nodes.details(of: record)
    return Change.Update(
      params: members.params ? details.params : nil, facts: members.facts ? details.facts : nil,
      content: members.content ? details.content ?? Content(status: .idle) : nil, ended: members.ended ? record.isEnded : nil)
  }

  /// The approximate size of a node with all its descendants in a response, in bytes.
  private static func size(of id: NodeID, in state: State) -> Int {
    guard let record = state.nodes.record(id) else { return State.itemSize }
    var bytes = State.itemSize
    if let details = state.nodes.storedDetails(of: record) {
      bytes += details.params.size + details.facts.size + (details.content?.size ?? 0)
    }
    Siblings.forEach(below: record, in: state.nodes) { bytes += size(of: $0.nodeID, in: state) }
    if let modal = record.presentedID { bytes += size(of: modal, in: state) }
    if id == state.root { for window in state.nodes.overlays + state.nodes.levels { bytes += size(of: window, in: state) } }
    return bytes
  }
}

/// The members of a node that an action has changed.
struct UpdatedMembers {
  var params = false
  var facts = false
  var content = false
  var ended = false

  var isEmpty: Bool { !params && !facts && !content && !ended }

  /// The approximate size of the changed values in bytes.
  func size(in details: NodeDetails) -> Int {
    (params ? details.params.size : 0) + (facts ? details.facts.size : 0) + (content ? details.content?.size ?? 0 : 0)
  }
}

/// The changes that a client applies to an earlier tree to get a later one, in order. Only tests and tools read the changes as values; a response is
/// written directly from the notes.
final class ChangeList: Sendable {
  private let changes: Changes
  /// The nodes whose records the action has written, sorted.
  private let edited: EditedNodes
  /// The later state.
  private let state: State
  private let program: Program

  init(_ changes: Changes, of edited: EditedNodes, to state: State, by program: Program) {
    self.changes = changes
    self.edited = edited
    self.state = state
    self.program = program
  }

  var values: [Change] { changes.inOrder.map { $0.change(in: state, by: program) } }

  /// Calls `visit` with each node that differs between the states. Passes the later and the earlier version of the node, each `nil` if the
  /// node does not exist in that state. `kept` is the number of children at the beginning that are certainly unchanged; `nil` if it is
  /// unknown.
  func forEachNode(from old: State, _ visit: (_ now: NodeReading?, _ past: NodeReading?, _ kept: Int?) -> Void) {
    NodeDifference.forEach(of: edited, from: old.nodes, to: state.nodes) { now, past, kept in
      visit(now.map { NodeReading($0, in: state.nodes) }, past.map { NodeReading($0, in: old.nodes) }, kept.map { Int($0) })
    }
  }

  /// Calls `visit` with the approximate size of each change in bytes.
  func forEachSize(_ visit: (Int) throws(Refusal) -> Void) throws(Refusal) {
    for index in 0..<changes.count { try visit(changes[index].size(in: state)) }
  }

  /// Writes the changes as a JSON array.
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    let walk = TreeWalk(program: program, names: state.nodes.names, root: state.root)
    for index in 0..<changes.count { write(changes[index], walk, to: &writer) }
    writer.endArray()
  }

  private func write(_ note: ChangeNote, _ walk: TreeWalk, to writer: inout JSONWriter) {
    // A change that adds a single node is written directly from the node's record. All other changes are converted to values first.
    switch note {
    case .push(let container, let node): write("push", "in", container, node, walk, to: &writer)
    case .replace(let old, let node): write("replace", "at", old, node, walk, to: &writer)
    case .present(let presenter, let node): write("present", "on", presenter, node, walk, to: &writer)
    case .overlay(let node):
      writer.beginObject()
      writer.name("op")
      writer.word("overlay")
      writer.member("slot", ifPresent: state.nodes.details(of: node).slot)
      writer.name("node")
      walk.write(node, in: state.nodes, to: &writer)
      writer.endObject()
    case .pop, .set, .remove, .dismiss, .select, .update: note.change(in: state, by: program).write(to: &writer)
    }
  }

  /// Writes a change that adds a node. `name` is the member that contains the position.
  private func write(
    _ operation: String, _ name: StaticString, _ place: NodeID, _ node: NodeID, _ walk: TreeWalk, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.name("op")
    writer.word(operation)
    writer.member(name, place)
    // The root presents all modals on levels, so the change also contains the level.
    writer.member("level", ifPresent: state.nodes.record(node)?.shownLevel)
    writer.name("node")
    walk.write(node, in: state.nodes, to: &writer)
    writer.endObject()
  }
}
