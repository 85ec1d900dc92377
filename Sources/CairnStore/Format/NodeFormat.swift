import CairnCore

/// A node on the disk: of a new one what is not as at birth, of a changed one what changed; null is what it has no more.
enum NodeFormat {
  /// The children of a node that was read: how many stay, and those behind them.
  private typealias LaterChildren = (id: NodeID, kept: Int, added: [NodeID])

  /// Reads `n`. The id of a node stands first. Children are put below their parents when all nodes are here.
  static func readChanged(into nodes: inout NodeTable, _ reader: inout DiskReader) throws(UnreadableFormat) {
    var lists: [LaterChildren] = []
    try reader.array { reader throws(UnreadableFormat) in
      var node = Node(id: NodeID(0), kind: .screen, name: "", owner: nil, parent: nil)
      // Whether the id was read; whether `node` is what the table has of it.
      var (isKnown, isWhole) = (false, false)
      try reader.object { reader, member throws(UnreadableFormat) in
        guard isKnown else {
          guard "i" ~= member else { throw reader.missing("i") }
          node = Node(id: try reader.node(), kind: .screen, name: "", owner: nil, parent: nil)
          isKnown = true
          return
        }
        switch member {
        case "C":
          let (kept, added) = try laterChildren(&reader)
          lists.append((node.id, kept, added))
        case "c":
          var children: [NodeID] = []
          try reader.array { reader throws(UnreadableFormat) in children.append(try reader.node()) }
          lists.append((node.id, 0, children))
        default:
          // Mostly nothing but the children of a node changed that is there.
          if !isWhole, let old = nodes[node.id] { node = old }
          isWhole = true
          try read(member, of: &node, &reader)
        }
      }
      if isKnown, isWhole || nodes[node.id] == nil { nodes.put(node) }
    }
    // Nodes may go from one list to another one.
    for list in lists {
      guard nodes.keepChildren(list.kept, of: list.id) else { throw reader.fault("children that are not there") }
    }
    for list in lists {
      guard nodes.addChildren(list.added, to: list.id) else { throw reader.fault("children that cannot be in their parent") }
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

  private static func read(_ member: DiskName, of node: inout Node, _ reader: inout DiskReader) throws(UnreadableFormat) {
    switch member {
    case "k": node.kind = try kind(&reader)
    case "a": node.name = try reader.string()
    case "f": node.flow = try reader.optional { reader throws(UnreadableFormat) in try reader.string() }
    case "o": node.owner = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "p": node.parent = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "s": node.selected = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    case "m": node.presented = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "y": node.style = try reader.optional(style)
    case "n": node.on = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "q": node.params = try reader.values()
    case "v": node.content = try reader.optional(content)
    case "e": node.ended = try reader.bool()
    case "h": node.collapsed = try reader.bool()
    case "d": node.opened = try reader.bool()
    case "l": node.listen = try listen(&reader)
    case "x": node.left = try reader.optional(TemplateFormat.step)
    case "g": node.leave = try reader.optional(TemplateFormat.leave)
    case "Q": node.asker = try reader.optional(AskerFormat.asker)
    case "level": node.level = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    case "waits": node.waits = try reader.bool()
    case "z":
      node.authorization = try reader.optional { reader throws(UnreadableFormat) in try reader.string() }
    default: throw reader.unknown(member)
    }
  }

  private static func content(_ reader: inout DiskReader) throws(UnreadableFormat) -> Content {
    var content = Content(status: .idle)
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "s":
        guard let status = contentStatus(try reader.string()) else { throw reader.fault("an unknown status") }
        content.status = status
      case "v": content.value = try reader.value()
      case "e": content.error = try reader.string()
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
