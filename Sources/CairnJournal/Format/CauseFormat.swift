package import CairnCore

/// The stored form of an entry's cause: `{"creation":…}`, `{"action":…}` or `{"replacement":…}`, with `"by"` for an operator's request and
/// `"sender"` for a numbered action. The stored names are independent
/// of the API, which may use other names for an action.
package enum CauseFormat {
  /// The version stored with each entry. A change requires a migration.
  package static let version = 1

  /// The stored cause, author and sender of an entry.
  package static func bytes(_ entry: Entry) -> [UInt8] {
    JSONWriter.stored { writer in
      writer.beginObject()
      switch entry.cause {
      case .creation(let creation):
        writer.name("creation")
        write(creation, &writer)
      case .action(let action):
        writer.name("action")
        write(action, &writer)
      case .replacement(let replacement):
        writer.name("replacement")
        write(replacement, &writer)
      }
      if let author = entry.author { writer.member("by", author) }
      if let sender = entry.stamp.sender {
        writer.name("sender")
        writer.beginObject()
        writer.member("client", sender.client)
        writer.member("number", sender.number)
        writer.endObject()
      }
      writer.endObject()
    }
  }

  package static func read(_ bytes: [UInt8], version: Int) throws(UnreadableFormat) -> StoredCause {
    guard (1...Self.version).contains(version) else { throw UnreadableFormat(reason: "format \(version) was written by a newer version") }
    return try JSONElement.reading(bytes) { element throws(UnreadableFormat) in
      var found: Entry.Cause?
      var author: String?
      var sender: Sender?
      for (member, value) in try element.readMembers() {
        switch member {
        case "creation": found = .creation(try creation(value))
        case "action": found = .action(try action(value))
        case "replacement": found = .replacement(try replacement(value))
        case "by": author = try value.readString()
        case "sender": sender = try Self.sender(value)
        default: throw member.unknown
        }
      }
      guard let found else { throw element.missing("a cause") }
      return StoredCause(cause: found, author: author, sender: sender)
    }
  }

  private static func sender(_ element: JSONElement) throws(UnreadableFormat) -> Sender {
    var sender = Sender(client: "", number: 0)
    for (member, value) in try element.readMembers() {
      switch member {
      case "client": sender.client = try value.readString()
      case "number": sender.number = try value.readNumber()
      default: throw member.unknown
      }
    }
    return sender
  }

  private static func write(_ creation: Creation, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("hasToken", creation.hasToken)
    writer.member("facts", creation.facts)
    writer.member("environment", creation.environment)
    writer.member("manualClock", creation.manualClock)
    if creation.manualRequests { writer.member("manualRequests", true) }
    writer.endObject()
  }

  private static func write(_ replacement: Entry.Replacement, _ writer: inout JSONWriter) {
    writer.beginObject()
    switch replacement {
    case .migrated(let old, let new):
      writer.member("kind", "migrated")
      writer.member("from", old)
      writer.member("to", new)
    case .undone(let revision, let reason):
      writer.member("kind", "undone")
      writer.member("revision", revision)
      if let reason { writer.member("reason", reason) }
    case .forked(let session, let revision):
      writer.member("kind", "forked")
      writer.member("session", session)
      writer.member("revision", revision)
    case .imported(let session):
      writer.member("kind", "imported")
      writer.member("session", session)
    case .scenario(let name):
      writer.member("kind", "scenario")
      writer.member("name", name)
    }
    writer.endObject()
  }

  private static func replacement(_ element: JSONElement) throws(UnreadableFormat) -> Entry.Replacement {
    var texts: [String: String] = [:]
    var revision = 0
    for (member, value) in try element.readMembers() {
      switch member {
      case "kind", "from", "to", "reason", "session", "name": texts[try member.readString()] = try value.readString()
      case "revision": revision = try value.readCount()
      default: throw member.unknown
      }
    }
    switch texts["kind"] {
    case "migrated": return .migrated(from: texts["from"] ?? "", to: texts["to"] ?? "")
    case "undone": return .undone(to: revision, reason: texts["reason"])
    case "forked": return .forked(session: texts["session"] ?? "", revision: revision)
    case "imported": return .imported(session: texts["session"] ?? "")
    case "scenario": return .scenario(name: texts["name"] ?? "")
    default: throw element.fault("an unknown replacement")
    }
  }

  private static func creation(_ element: JSONElement) throws(UnreadableFormat) -> Creation {
    var creation = Creation()
    for (member, value) in try element.readMembers() {
      switch member {
      case "hasToken": creation.hasToken = try value.readBool()
      case "facts": creation.facts = try value.readValues()
      case "environment":
        creation.environment = try value.readTexts()
      case "manualClock": creation.manualClock = try value.readBool()
      case "manualRequests": creation.manualRequests = try value.readBool()
      default: throw member.unknown
      }
    }
    return creation
  }
}
