package import CairnCore

/// A client as docs/changes.md describes it. It keeps a table of views by their ids, and applies the ten changes in their wire format. It
/// shares no code with `Tree.play`, and rejects a change that does not fit.
package struct WireClient {
  private var views: [String: View] = [:]
  private var root = ""

  /// The client's copy of one node with its members and children.
  private struct View {
    var members: [String: Value]
    var children: [String]?
    var modal: String?
    /// The modals on levels, lowest first. Only the root has them.
    var levels: [String] = []
    /// The overlays, oldest first. Only the root has them.
    var overlays: [String] = []
    var parent: String?
  }

  /// A change that does not fit the tree.
  package struct Misfit: Error {
    package var change: String
  }

  /// Begins with a tree.
  package init(_ tree: some JSONWritable) throws {
    root = try adopt(Self.read(tree), in: nil)
  }

  /// The current tree.
  package var tree: Value { value(of: root) }

  /// Decodes a value from its wire format.
  package static func read(_ value: some JSONWritable) throws -> Value {
    var writer = JSONWriter()
    value.write(to: &writer)
    return try JSONDocument.read(writer.bytes(), depthLimit: 1_000) { $0.value }
  }

  /// Applies one change. Throws if the change does not fit.
  package mutating func play(_ change: some JSONWritable) throws {
    let change = try Self.read(change)
    func text(_ name: String) throws -> String {
      guard case .string(let text)? = change[name] else { throw Misfit(change: "\(change): no \(name)") }
      return text
    }
    func fit(_ fits: Bool) throws { if !fits { throw Misfit(change: "\(change)") } }
    switch try text("op") {
    case "push":
      let container = try text("in")
      try fit(kind(container) == "stack")
      let new = try adopt(change["node"], in: container)
      views[container]?.children?.append(new)
    case "pop":
      let container = try text("in")
      let children = views[container]?.children ?? []
      let place = children.firstIndex(of: try text("to"))
      try fit(kind(container) == "stack" && place != nil && place != children.count - 1)
      for gone in children[((place ?? 0) + 1)...] { drop(gone) }
      views[container]?.children?.removeSubrange(((place ?? 0) + 1)...)
    case "set":
      let container = try text("in")
      guard let old = views[container]?.children, case .array(let nodes)? = change["children"] else { return try fit(false) }
      for gone in old { drop(gone) }
      views[container]?.children = []
      for node in nodes {
        let new = try adopt(node, in: container)
        views[container]?.children?.append(new)
      }
      if let kind = change["kind"] {
        views[container]?.members["kind"] = kind
        views[container]?.members["collapsed"] = kind == "stack" ? true : nil
      }
      if kind(container) == "tabs" { views[container]?.members["selected"] = nodes.isEmpty ? nil : 0 }
    case "replace":
      let old = try text("at")
      guard let container = views[old]?.parent, let place = views[container]?.children?.firstIndex(of: old) else { return try fit(false) }
      drop(old)
      let new = try adopt(change["node"], in: container)
      views[container]?.children?[place] = new
    case "remove":
      let node = try text("node")
      guard let container = views[node]?.parent, let place = views[container]?.children?.firstIndex(of: node) else { return try fit(false) }
      try fit(kind(container) == "stack")
      drop(node)
      views[container]?.children?.remove(at: place)
    case "present":
      let presenter = try text("on")
      if case .integer(let level)? = change["level"] {
        let raised = views[presenter]?.levels ?? []
        try fit(presenter == root && change["node"]?["level"] == .integer(level) && !raised.contains { self.level($0) == level })
        let new = try adopt(change["node"], in: presenter)
        let place = raised.firstIndex { self.level($0) > level } ?? raised.count
        views[presenter]?.levels.insert(new, at: place)
        break
      }
      try fit(views[presenter] != nil && views[presenter]?.modal == nil)
      let new = try adopt(change["node"], in: presenter)
      views[presenter]?.modal = new
    case "overlay":
      let slot = try text("slot")
      let shown = views[root]?.overlays ?? []
      try fit(change["node"]?["slot"] == .string(slot) && !shown.contains { views[$0]?.members["slot"] == .string(slot) })
      let new = try adopt(change["node"], in: root)
      let place = shown.firstIndex { number($0) > number(new) } ?? shown.count
      views[root]?.overlays.insert(new, at: place)
    case "dismiss":
      let node = try text("node")
      if let place = views[root]?.overlays.firstIndex(of: node) {
        drop(node)
        views[root]?.overlays.remove(at: place)
        break
      }
      if let place = views[root]?.levels.firstIndex(of: node) {
        drop(node)
        views[root]?.levels.remove(at: place)
        break
      }
      guard let presenter = views[node]?.parent, views[presenter]?.modal == node else { return try fit(false) }
      drop(node)
      views[presenter]?.modal = nil
    case "select":
      let container = try text("in")
      guard kind(container) == "tabs", case .integer(let index)? = change["index"], let count = views[container]?.children?.count,
        (0..<count).contains(index)
      else { return try fit(false) }
      views[container]?.members["selected"] = .integer(index)
    case "update":
      let node = try text("node")
      try fit(views[node] != nil)
      for name in ["params", "facts", "content", "ended"] {
        guard let value = change[name] else { continue }
        // An empty or false member is omitted in a tree.
        views[node]?.members[name] = value == .object([:]) || value == .bool(false) ? nil : value
      }
    default: try fit(false)
    }
  }

  private func kind(_ id: String) -> Value? { views[id]?.members["kind"] }

  private func number(_ id: String) -> Int { Int(id.dropFirst()) ?? 0 }

  private func level(_ id: String) -> Int {
    if case .integer(let level)? = views[id]?.members["level"] { level } else { 0 }
  }

  /// Adds a node with all its descendants. Throws if one of them already exists.
  private mutating func adopt(_ node: Value?, in parent: String?) throws -> String {
    guard case .object(var members)? = node, case .string(let id)? = members["id"], views[id] == nil else {
      throw Misfit(change: "the node \(node ?? .null) is there already, or is none")
    }
    let children = members.removeValue(forKey: "children")
    let modal = members.removeValue(forKey: "presented")
    let levels = members.removeValue(forKey: "levels")
    let overlays = members.removeValue(forKey: "overlays")
    views[id] = View(members: members, parent: parent)
    if case .array(let children)? = children {
      views[id]?.children = []
      for child in children {
        let new = try adopt(child, in: id)
        views[id]?.children?.append(new)
      }
    }
    if case .array(let levels)? = levels {
      for modal in levels {
        let new = try adopt(modal, in: id)
        views[id]?.levels.append(new)
      }
    }
    if case .array(let overlays)? = overlays {
      for overlay in overlays {
        let new = try adopt(overlay, in: id)
        views[id]?.overlays.append(new)
      }
    }
    if let modal {
      let new = try adopt(modal, in: id)
      views[id]?.modal = new
    }
    return id
  }

  private mutating func drop(_ id: String) {
    guard let view = views.removeValue(forKey: id) else { return }
    for child in view.children ?? [] { drop(child) }
    for modal in view.overlays + view.levels + (view.modal.map { [$0] } ?? []) { drop(modal) }
  }

  private func value(of id: String) -> Value {
    guard let view = views[id] else { return .null }
    var members = view.members
    if let children = view.children { members["children"] = .array(children.map(value)) }
    if let modal = view.modal { members["presented"] = value(of: modal) }
    if !view.overlays.isEmpty { members["overlays"] = .array(view.overlays.map(value)) }
    if !view.levels.isEmpty { members["levels"] = .array(view.levels.map(value)) }
    return .object(members)
  }
}
