import CairnCore

/// A node on the disk: of a new one what is not as at birth, of a changed one what changed; null is what it has no more.
/// A member's long name is that of the first version.
enum NodeFormat {
  /// Writes `n`, the nodes that are new or changed, and `x`, those that are gone.
  static func writeChanged(from old: NodeTable, to new: NodeTable, _ writer: inout DiskWriter) {
    let difference = new.difference(from: old)
    let changed = difference.added.isEmpty ? difference.changed : (difference.changed + difference.added).sorted()
    if !changed.isEmpty {
      writer.name("n")
      writer.open("[")
      for id in changed {
        guard let node = new[id] else { continue }
        writer.separate()
        write(node, over: old[id], &writer)
      }
      writer.close("]")
    }
    guard !difference.removed.isEmpty else { return }
    writer.name("x")
    writer.open("[")
    for id in difference.removed {
      writer.separate()
      writer.write(id)
    }
    writer.close("]")
  }

  /// Reads `n`. The id of a node stands first.
  static func readChanged(into nodes: inout NodeTable, _ reader: inout DiskReader) throws(UnreadableFormat) {
    try reader.array { reader throws(UnreadableFormat) in
      var found: Node?
      try reader.object { reader, member throws(UnreadableFormat) in
        if member == "i", found == nil {
          let id = try reader.node()
          found = nodes[id] ?? Node(id: id, kind: .screen, name: "", owner: nil, parent: nil)
        } else if found != nil {
          try read(member, of: &found, &reader)
        } else {
          throw reader.missing("i")
        }
      }
      if let found { nodes[found.id] = found }
    }
  }

  /// Reads the nodes of a state that the first version wrote: members of an object, by id.
  static func readFirst(into nodes: inout NodeTable, _ reader: inout DiskReader) throws(UnreadableFormat) {
    try reader.object { reader, key throws(UnreadableFormat) in
      guard let id = NodeID(key) else { throw reader.fault("not a node") }
      var found: Node? = Node(id: id, kind: .screen, name: "", owner: nil, parent: nil)
      try reader.object { reader, member throws(UnreadableFormat) in try read(member, of: &found, &reader) }
      nodes[id] = found
    }
  }

  private static func read(_ member: String, of node: inout Node?, _ reader: inout DiskReader) throws(UnreadableFormat) {
    switch member {
    case "id": _ = try reader.node()
    case "k", "kind": node?.kind = try kind(&reader)
    case "a", "name": node?.name = try reader.string()
    case "f", "flow": node?.flow = try reader.optional { reader throws(UnreadableFormat) in try reader.string() }
    case "o", "owner": node?.owner = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "p", "parent": node?.parent = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "c", "children":
      var children: [NodeID] = []
      try reader.array { reader throws(UnreadableFormat) in children.append(try reader.node()) }
      node?.children = children
    case "C":
      var kept: Int?
      var children = node?.children ?? []
      try reader.array { reader throws(UnreadableFormat) in
        if kept == nil {
          let count = try reader.integer()
          guard (0...children.count).contains(count) else { throw reader.fault("children that are not there") }
          children.removeSubrange(count...)
          kept = count
        } else {
          children.append(try reader.node())
        }
      }
      node?.children = children
    case "s", "selected": node?.selected = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    case "m", "presented": node?.presented = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "y", "style": node?.style = try reader.optional(style)
    case "n", "on": node?.on = try reader.optional { reader throws(UnreadableFormat) in try reader.node() }
    case "q", "params": node?.params = try reader.values()
    case "v", "content": node?.content = try reader.optional(content)
    case "e", "ended": node?.ended = try reader.bool()
    case "l", "listen": node?.listen = try listen(&reader)
    case "x", "left": node?.left = try reader.optional(TemplateFormat.step)
    case "z", "authorization":
      node?.authorization = try reader.optional { reader throws(UnreadableFormat) in try reader.string() }
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
