package import CairnCore

/// The stored form of an entry's cause: `{"creation":…}`, `{"action":…}` or `{"replacement":…}`, with `"by"` for an operator's request. A
/// numbered action also has `"sender"`. It has `"covers"` if other entries had put nodes over the pages that its user saw, and
/// `"clientTime"` if its client gave a time. `"zones"` contains the offsets of the time zones that an action has read. The stored names are
/// independent of the API, which may use other names for an action.
package enum CauseFormat {
  /// The version of the format, stored with each entry. A change requires a migration.
  package static let version = 3

  /// The stored form of an entry's cause, with the author and the optional parts of the stamp: the sender, the time zones, the covers and the client's time.
  package static func bytes(_ entry: Entry) -> [UInt8] {
    JSONWriter.stored { writer in
      writer.beginObject()
      switch entry.cause {
      case .creation(let creation):
        writer.name("creation")
        Creation.write(creation, &writer)
      case .action(let action):
        writer.name("action")
        write(action, &writer)
      case .replacement(let replacement):
        writer.name("replacement")
        Entry.Replacement.write(replacement, &writer)
      }
      if let author = entry.author { writer.member("by", author) }
      if let sender = entry.stamp.sender {
        writer.name("sender")
        Sender.write(sender, &writer)
      }
      if !entry.stamp.zones.isEmpty {
        writer.name("zones")
        [ZoneWindow].write(entry.stamp.zones, &writer)
      }
      if !entry.stamp.covers.isEmpty {
        writer.name("covers")
        [Cover].write(entry.stamp.covers, &writer)
      }
      if let time = entry.stamp.clientTime {
        writer.name("clientTime")
        ClientTime.write(time, &writer)
      }
      writer.endObject()
    }
  }

  package static func read(_ bytes: [UInt8], version: Int) throws(UnreadableFormat) -> StoredCause {
    guard version == Self.version else {
      throw UnreadableFormat(reason: "format \(version) was written by \(version > Self.version ? "a newer" : "an earlier") version")
    }
    return try JSONElement.reading(bytes) { element throws(UnreadableFormat) in
      var found: Entry.Cause?
      var author: String?
      var sender: Sender?
      var zones: [ZoneWindow] = []
      var covers: [Cover] = []
      var clientTime: ClientTime?
      for (member, value) in try element.readMembers() {
        switch member {
        case "creation": found = .creation(try Creation(reading: value))
        case "action": found = .action(try action(value))
        case "replacement": found = .replacement(try Entry.Replacement(reading: value))
        case "by": author = try value.readString()
        case "sender": sender = try Sender(reading: value)
        case "zones": zones = try [ZoneWindow](reading: value)
        case "covers": covers = try [Cover](reading: value)
        case "clientTime": clientTime = try ClientTime(reading: value)
        default: throw member.unknown
        }
      }
      guard let found else { throw element.missing("a cause") }
      return StoredCause(cause: found, author: author, sender: sender, zones: zones, covers: covers, clientTime: clientTime)
    }
  }
}

extension Sender: Coded {
  package static var blank: Sender { Sender(client: "", number: 0) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Sender, _ coder: inout C) throws(C.Failure) {
    try coder.member("client", &it.client)
    try coder.member("number", &it.number)
  }
}

extension ClientTime: Coded {
  package static var blank: ClientTime { ClientTime(clock: 0, happened: 0) }

  package static func members<C: Coder & ~Copyable>(_ it: inout ClientTime, _ coder: inout C) throws(C.Failure) {
    try coder.number("clock", &it.clock, in: 0...State.latestTime)
    try coder.number("happened", &it.happened, in: 0...State.latestTime)
  }
}

extension Creation: Coded {
  package static var blank: Creation { Creation() }

  package static func members<C: Coder & ~Copyable>(_ it: inout Creation, _ coder: inout C) throws(C.Failure) {
    try coder.member("hasToken", &it.hasToken)
    try coder.begin("facts")
    try coder.code(unsorted: &it.facts)
    try coder.member("environment", &it.environment)
    try coder.member("manualClock", &it.manualClock)
    try coder.flag("manualRequests", &it.manualRequests)
  }
}

extension Entry.Replacement: Coded {
  package static var blank: Entry.Replacement { .imported(session: "") }

  package static func members<C: Coder & ~Copyable>(_ it: inout Entry.Replacement, _ coder: inout C) throws(C.Failure) {
    var kind = it.kind
    try coder.member("kind", &kind)
    if C.reads {
      guard let place = kinds.firstIndex(of: kind) else { return try coder.reject("the entry has an unknown kind of state replacement") }
      it = cases[place]
    }
    switch it {
    case .migrated(let old, let new): it = try .migrated(from: coder.coded("from", old), to: coder.coded("to", new))
    case .undone(let revision, let reason): it = try .undone(to: coder.coded("revision", revision), reason: coder.coded("reason", reason))
    case .forked(let session, let revision):
      it = try .forked(session: coder.coded("session", session), revision: coder.coded("revision", revision))
    case .imported(let session): it = try .imported(session: coder.coded("session", session))
    case .scenario(let name): it = try .scenario(name: coder.coded("name", name))
    }
  }

  private static let cases: [Entry.Replacement] = [
    .migrated(from: "", to: ""), .undone(to: 0, reason: nil), .forked(session: "", revision: 0), .imported(session: ""),
    .scenario(name: ""),
  ]
  private static let kinds = cases.map(\.kind)

  private var kind: String {
    switch self {
    case .migrated: "migrated"
    case .undone: "undone"
    case .forked: "forked"
    case .imported: "imported"
    case .scenario: "scenario"
    }
  }
}
