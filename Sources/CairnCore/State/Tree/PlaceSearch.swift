/// Finds the node to which a place refers. "Nearest" has one meaning for all operations, conditions and expressions: the sending node, if it matches, otherwise
/// the first match inside it, otherwise the first match outwards from it. Without a sending node, it is the first match from the front of the tree.
struct PlaceSearch {
  private let nodes: NodeTable
  private let root: NodeID
  private let kind: Place.Kind
  /// The number of the place's name among the names of the state's nodes. -1 if no node can match, because no node has the name, or because
  /// a value is missing.
  private let number: Int32
  private let params: [String: Value]

  /// Creates a search. `scope` is the scope of the values in the place.
  init(_ place: Place, in scope: Scope, _ state: State, by evaluator: Evaluator) {
    nodes = state.nodes
    root = state.root
    kind = place.kind
    var params: [String: Value] = [:]
    for (name, expression) in place.with { params[name] = evaluator.value(of: expression, in: scope, state) }
    self.params = params
    number = params.count == place.with.count ? state.nodes.names.number(place.name) ?? -1 : -1
  }

  /// Whether a node has the name and the params.
  func matches(_ record: NodeRecord) -> Bool {
    guard number >= 0, record.flow == number && kind != .screen || record.name == number && isNamedByScreen(record) else { return false }
    if params.isEmpty { return true }
    let own = nodes.details(of: record).params
    for (name, value) in params where own[name] != value { return false }
    return true
  }

  private func isNamedByScreen(_ record: NodeRecord) -> Bool { kind == .any || kind == .screen && record.isLeaf }

  /// The nearest match that satisfies `isMeant`, as seen from the node `speaker`. If `speaker` is `nil`, the search starts at the front of the tree.
  /// Nodes outside the tree, and nodes that wait for a level, are not found.
  func nearest(from speaker: NodeID?, where isMeant: (NodeRecord) -> Bool = { _ in true }) -> NodeID? {
    guard number >= 0 else { return nil }
    guard var here = speaker.flatMap({ nodes.record($0) }) else { return first(below: root, except: nil, where: isMeant) }
    if matches(here), isMeant(here) { return here.nodeID }
    if let found = first(below: here.nodeID, except: nil, where: isMeant) { return found }
    while let parent = here.parentID, let next = nodes.record(parent) {
      if let found = first(below: parent, except: here.nodeID, where: isMeant) { return found }
      here = next
    }
    return nil
  }

  /// All matches below the root that satisfy `isMeant`, the frontmost first.
  func all(where isMeant: (NodeRecord) -> Bool) -> [NodeID] {
    var found: [NodeID] = []
    _ = first(below: root, except: nil) { record in
      if isMeant(record) { found.append(record.nodeID) }
      return false
    }
    return found
  }

  /// The frontmost match in a subtree, without the subtree of `known`; `nil` if there is none. Modals precede the nodes that they cover, higher levels precede
  /// lower ones, the front child precedes its siblings, and the nodes inside a container precede the container. Iterative, because a chain of flows can be too
  /// deep for recursion.
  private func first(below top: NodeID, except known: NodeID?, where isMeant: (NodeRecord) -> Bool) -> NodeID? {
    // Overlays are searched last.
    var open = (top == root ? nodes.overlays.reversed() : []) + [top]
    // The containers whose contents are being searched, the innermost last. Such a container is in `open` a second time.
    var entered: [NodeID] = []
    while let id = open.popLast() {
      guard id != known, let record = nodes.record(id) else { continue }
      if entered.last == id || record.isLeaf && record.presentedID == nil {
        if entered.last == id { entered.removeLast() }
        if matches(record), isMeant(record) { return id }
        continue
      }
      entered.append(id)
      open.append(id)
      // `popLast` returns the last element, so the front must be at the end.
      if let rules = record.rules { open += rules.childrenFromFront(of: record, in: nodes).reversed() }
      if let modal = record.presentedID { open.append(modal) }
      if id == root { open += nodes.levels }
    }
    return nil
  }
}

extension State {
  /// The node from which a place is searched: the sender or, if it has left the tree, its former parent; `nil` if neither is in the tree.
  func speaker(_ emitter: Emitter?) -> NodeID? {
    guard let emitter else { return nil }
    if stands(emitter.id) { return emitter.id }
    return emitter.record.parentID.flatMap { stands($0) ? $0 : nil }
  }
}
