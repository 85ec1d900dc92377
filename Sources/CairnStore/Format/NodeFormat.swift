import CairnCore

/// A node on the disk: of a new one what is not as at birth, of a changed one what changed; null is what it has no more.
/// A member's long name is that of the first version.
enum NodeFormat {
  /// Reads `n`. The id of a node stands first.
  static func readChanged(into nodes: inout NodeTable, _ reader: inout DiskReader) throws(UnreadableFormat) {
    try reader.array { reader throws(UnreadableFormat) in
      var node = Node(id: NodeID(0), kind: .screen, name: "", owner: nil, parent: nil)
      // Whether the id was read; whether `node` is what the table has of it, and more.
      var (isKnown, isWhole, isDone) = (false, false, false)
      try reader.object { reader, member throws(UnreadableFormat) in
        guard isKnown else {
          guard "i" ~= member else { throw reader.missing("i") }
          node = Node(id: try reader.node(), kind: .screen, name: "", owner: nil, parent: nil)
          isKnown = true
          return
        }
        // Mostly this is all that changed in a node that is there.
        if !isWhole, "C" ~= member {
          let (kept, added) = try laterChildren(&reader)
          guard nodes.replaceChildren(of: node.id, keeping: kept, adding: added) else {
            throw reader.fault("children that are not there")
          }
          isDone = true
          return
        }
        if !isWhole, let old = nodes[node.id] { node = old }
        isWhole = true
        try read(member, of: &node, &reader)
      }
      if isKnown, isWhole || !isDone && nodes[node.id] == nil { nodes.put(node) }
    }
  }

  /// Reads `C`: how many children stay, and those behind them.
  private static func laterChildren(_ reader: inout DiskReader) throws(UnreadableFormat) -> (kept: Int, added: [NodeID]) {
    var kept: Int?
    var added: [NodeID] = []
    try reader.array { reader throws(UnreadableFormat) in
      if kept == nil { kept = try reader.integer() } else { added.append(try reader.node()) }
    }
    guard let kept else { throw reader.fault("children that are not there") }
    return (kept, added)
  }

  /// Reads the nodes of a state that the first version wrote: members of an object, by id.
  static func readFirst(into nodes: inout NodeTable, _ reader: inout DiskReader) throws(UnreadableFormat) {
    try reader.members { reader, key throws(UnreadableFormat) in
      guard let id = NodeID(key) else { throw reader.fault("not a node") }
      var node = Node(id: id, kind: .screen, name: "", owner: nil, parent: nil)
      try reader.object { reader, member throws(UnreadableFormat) in try read(member, of: &node, &reader) }
      nodes[id] = node
    }
  }

  private static func read(_ member: DiskName, of node: inout Node, _ reader: inout DiskReader) throws(UnreadableFormat) {
    switch member {
    case "id": _ = try reader.node()
    case "k", "kind": node.kind = try kind(&reader)
    case "a", "name": node.name = try reader.string()
    case "f", "flow": node.flow = try reader.optional { reader throws(UnreadableFormat) in try reader.string() }
    case "o", "owner": node.owner = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "p", "parent": node.parent = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "c", "children":
      var children: [NodeID] = []
      try reader.array { reader throws(UnreadableFormat) in children.append(try reader.node()) }
      node.children = children
    case "C":
      let (kept, added) = try laterChildren(&reader)
      let children = node.children
      guard (0...children.count).contains(kept) else { throw reader.fault("children that are not there") }
      node.children = children[..<kept] + added
    case "s", "selected": node.selected = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    case "m", "presented": node.presented = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "y", "style": node.style = try reader.optional(style)
    case "n", "on": node.on = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "q", "params": node.params = try reader.values()
    case "v", "content": node.content = try reader.optional(content)
    case "e", "ended": node.ended = try reader.bool()
    case "l", "listen": node.listen = try listen(&reader)
    case "x", "left": node.left = try reader.optional(TemplateFormat.step)
    case "g", "leave": node.leave = try reader.optional(TemplateFormat.leave)
    case "z", "authorization":
      node.authorization = try reader.optional { reader throws(UnreadableFormat) in try reader.string() }
    default: throw reader.unknown(member)
    }
  }

  private static func content(_ reader: inout DiskReader) throws(UnreadableFormat) -> Content {
    var content = Content(status: .idle)
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "s", "status":
        guard let status = contentStatus(try reader.string()) else { throw reader.fault("an unknown status") }
        content.status = status
      case "v", "value": content.value = try reader.value()
      case "e", "error": content.error = try reader.string()
      default: throw reader.unknown(member)
      }
    }
    return content
  }

  private static func listen(_ reader: inout DiskReader) throws(UnreadableFormat) -> Listen {
    var listen = Listen()
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "hidden": listen.hidden = try reader.bool()
      case "dismissed": listen.dismissed = try reader.bool()
      default: throw reader.unknown(member)
      }
    }
    return listen
  }

  private static func kind(_ reader: inout DiskReader) throws(UnreadableFormat) -> Node.Kind {
    switch try reader.string() {
    case "stack": return .stack
    case "tabs": return .tabs
    case "switch": return .oneOf
    case "split": return .split
    case "screen": return .screen
    case "alert": return .alert
    default: throw reader.fault("an unknown kind")
    }
  }

  private static func style(_ reader: inout DiskReader) throws(UnreadableFormat) -> PresentationStyle {
    guard let style = presentationStyle(try reader.string()) else { throw reader.fault("an unknown style") }
    return style
  }
}
