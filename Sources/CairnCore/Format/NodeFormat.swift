/// The stored form of a node. A new node is stored as the members that differ from the defaults, a changed node as the members that changed. Null
/// stands for a removed member.
enum NodeFormat {
  /// A list of children as it is read: the number of leading children to keep, and the children to append.
  private typealias LaterChildren = (id: NodeID, kept: Int, added: [NodeID])

  /// Reads the member `n`, the new and changed nodes. The id comes first in each node. Children are attached after all nodes have been read.
  static func readChanged(into nodes: inout NodeTable, _ value: JSONElement) throws(UnreadableFormat) {
    var lists: [LaterChildren] = []
    for element in try value.readElements() {
      var members = try element.readMembers()
      guard let (first, number) = members.next() else { continue }
      guard "i" ~= first else { throw element.missing("i") }
      let id = try number.readNode()
      // Remains `nil` if only the children of an existing node changed, which is the usual case.
      var node: Node?
      for (member, value) in members {
        switch member {
        case "C":
          let (kept, added) = try laterChildren(value)
          lists.append((id, kept, added))
        case "c": lists.append((id, 0, try value.readNodes()))
        default:
          var changed = node ?? nodes[id] ?? Node(id: id, kind: .screen, name: "", owner: nil, parent: nil)
          try read(member, of: &changed, value)
          node = changed
        }
      }
      if let node {
        NodeFilling.put(node, into: &nodes)
      } else if nodes[id] == nil {
        NodeFilling.put(Node(id: id, kind: .screen, name: "", owner: nil, parent: nil), into: &nodes)
      }
    }
    // All lists are shortened before any is extended, because nodes may move from one list to another.
    for list in lists {
      guard NodeFilling.keepChildren(list.kept, of: list.id, in: &nodes) else {
        throw value.fault("a difference keeps more children of a node than exist")
      }
    }
    for list in lists {
      guard NodeFilling.addChildren(list.added, to: list.id, in: &nodes) else {
        throw value.fault("a node cannot contain the children that a difference adds")
      }
    }
  }

  /// Reads the member `C`: the number of leading children to keep, and the children to append.
  private static func laterChildren(_ value: JSONElement) throws(UnreadableFormat) -> (kept: Int, added: [NodeID]) {
    var kept: Int?
    var added: [NodeID] = []
    for element in try value.readElements() {
      if kept == nil { kept = try element.readCount() } else { added.append(try element.readNode()) }
    }
    guard let kept else { throw value.fault("the number of kept children is missing") }
    return (kept, added)
  }

  private static func read(_ member: JSONElement, of node: inout Node, _ value: JSONElement) throws(UnreadableFormat) {
    switch member {
    case "k": node.kind = try kind(value)
    case "a": node.name = try value.readString()
    case "f": node.flow = try value.readOptionalString()
    case "o": node.owner = try value.readOptionalNode()
    case "p": node.parent = try value.readOptionalNode()
    case "s": node.selected = try value.readOptionalCount()
    case "m": node.presented = try value.readOptionalNode()
    case "y": node.style = value.isNull ? nil : try PresentationStyle(reading: value)
    case "n": node.on = try value.readOptionalNode()
    case "q": node.params = try value.readValues()
    case "facts": node.facts = try value.readValues()
    case "v": node.content = value.isNull ? nil : try content(value)
    case "l": node.listen = try Listen(reading: value)
    case "x": node.steps.removed = value.isNull ? nil : try StepTemplate(reading: value)
    case "seen": node.steps.seen = value.isNull ? nil : try StepTemplate(reading: value)
    case "unseen": node.steps.unseen = value.isNull ? nil : try StepTemplate(reading: value)
    case "g": node.leave = value.isNull ? nil : try Leave(reading: value)
    case "Q": node.resultReceiver = value.isNull ? nil : try ResultReceiver(reading: value)
    case "visited": node.visited = try value.readNodes()
    case "slot": node.slot = try value.readOptionalString()
    case "level": node.level = try value.readOptionalCount()
    case "order": node.order = try value.readOptionalNode()
    case "z":
      node.authorization = try value.readOptionalString()
    default:
      guard let row = NodeFlags.rows.first(where: { $0.stored.map { member.isString($0) } ?? false }) else { throw member.unknown }
      node.flags[row.flag] = try value.readBool()
    }
  }

  private static func content(_ element: JSONElement) throws(UnreadableFormat) -> Content {
    var content = Content(status: .idle)
    for (member, value) in try element.readMembers() {
      switch member {
      case "s":
        guard let status = contentStatus(try value.readString()) else { throw value.fault("an unknown status") }
        content.status = status
      case "v": content.value = value.stored
      case "e": content.error = try value.readString()
      default: throw member.unknown
      }
    }
    return content
  }

  static func kind(_ value: JSONElement) throws(UnreadableFormat) -> Node.Kind {
    guard let kind = Node.Kind.allCases.first(where: { value.isString($0.stored) }) else { throw value.fault("an unknown kind") }
    return kind
  }
}

extension Listen: Coded {
  package static var blank: Listen { Listen() }

  package static func members<C: Coder & ~Copyable>(_ it: inout Listen, _ coder: inout C) throws(C.Failure) {
    try coder.member("hidden", &it.hidden)
    try coder.member("dismissed", &it.dismissed)
  }
}
