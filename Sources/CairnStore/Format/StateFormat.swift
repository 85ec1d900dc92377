package import CairnCore

/// How states stand on the disk: JSON with short names of its own, so that renaming something elsewhere moves nothing here.
/// A snapshot is the difference from the empty state; so there is one writer and one reader.
package enum StateFormat {
  /// Stored with each snapshot. A change of it is a new migration.
  package static let version = 1

  /// The state that the first entry's difference starts from. Never to be changed: every stored difference begins here.
  package static var empty: State { State() }

  /// A whole state.
  package static func snapshot(_ state: State) -> [UInt8] { difference(from: empty, to: state) }

  /// Reads a whole state. `start`: the empty one, whose table may have the names of the session's definition already.
  package static func state(_ bytes: [UInt8], version: Int, over start: State = empty) throws(UnreadableFormat) -> State {
    guard (1...Self.version).contains(version) else { throw UnreadableFormat(reason: "format \(version) is a newer one") }
    var state = start
    try apply(bytes, to: &state)
    return state
  }

  /// Applies what `difference` gave. On an error the state is not to be used.
  package static func apply(_ bytes: [UInt8], to state: inout State) throws(UnreadableFormat) {
    try DiskReader.all(of: bytes) { reader throws(UnreadableFormat) in
      try reader.object { reader, member throws(UnreadableFormat) in try read(member, of: &state, &reader) }
    }
  }

  private static func read(_ member: DiskName, of state: inout State, _ reader: inout DiskReader) throws(UnreadableFormat) {
    switch member {
    case "r": state.revision = try reader.integer()
    case "N": state.nextNode = try reader.integer()
    case "o": state.root = try reader.node()
    case "n": try NodeFormat.readChanged(into: &state.nodes, &reader)
    case "x": try reader.array { reader throws(UnreadableFormat) in state.nodes[try reader.node()] = nil }
    case "f":
      try reader.members { reader, name throws(UnreadableFormat) in state.facts[name] = try reader.value() }
    case "d": try reader.array { reader throws(UnreadableFormat) in state.facts[try reader.string()] = nil }
    case "e": try EffectFormat.readChanged(into: &state.effects, &reader)
    case "c":
      try reader.array { reader throws(UnreadableFormat) in
        let id = try reader.integer()
        state.effects.removeAll { $0.id == id }
      }
    case "E": state.nextEffect = try reader.integer()
    case "l": state.listeners = try listeners(&reader)
    case "h":
      state.pendingLinks = []
      try reader.array { reader throws(UnreadableFormat) in state.pendingLinks.append(try pendingLink(&reader)) }
    case "k": state.nextLink = try reader.integer()
    case "g": state.login = try login(&reader)
    case "u":
      state.refusedToken = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    case "t": state.tokenWrites = try reader.integer()
    case "v":
      state.environment = [:]
      try reader.members { reader, name throws(UnreadableFormat) in state.environment[name] = try reader.string() }
    case "mr": state.manualRequests = try reader.bool()
    case "a":
      state.leftForeground = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    case "m":
      state.manualTime = try reader.optional { reader throws(UnreadableFormat) in try reader.integer() }
    default: throw reader.unknown(member)
    }
  }

  private static func listeners(_ reader: inout DiskReader) throws(UnreadableFormat) -> [Listener] {
    var listeners: [Listener] = []
    try reader.array { reader throws(UnreadableFormat) in
      var listener = Listener(node: NodeID(0), screen: "", flow: NodeID(0))
      try reader.object { reader, member throws(UnreadableFormat) in
        switch member {
        case "node": listener.node = try reader.node()
        case "screen": listener.screen = try reader.string()
        case "flow": listener.flow = try reader.node()
        default: throw reader.unknown(member)
        }
      }
      listeners.append(listener)
    }
    return listeners
  }

  private static func pendingLink(_ reader: inout DiskReader) throws(UnreadableFormat) -> PendingLink {
    var link = PendingLink(url: "", until: 0)
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "id": link = PendingLink(id: try reader.link(), url: link.url, until: link.until)
      case "url": link.url = try reader.string()
      case "until": link.until = try reader.integer()
      default: throw reader.unknown(member)
      }
    }
    return link
  }

  private static func login(_ reader: inout DiskReader) throws(UnreadableFormat) -> Login {
    var login = Login(status: .loggedOut)
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "status":
        guard let status = loginStatus(try reader.string()) else { throw reader.fault("an unknown status") }
        login.status = status
      case "reason": login.reason = try reader.string()
      default: throw reader.unknown(member)
      }
    }
    return login
  }
}
