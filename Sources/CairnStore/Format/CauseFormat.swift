package import CairnCore

/// The stored form of an entry's cause: `{"creation":…}` or `{"action":…}`, with `"by"` if an operator asked for it. The names are the
/// disk's own: an action may be called otherwise on the wire.
package enum CauseFormat {
  /// Stored with each entry. A change of it is a new migration.
  package static let version = 1

  package static func bytes(_ cause: Entry.Cause, author: String? = nil) -> [UInt8] {
    var writer = DiskWriter()
    writer.open("{")
    switch cause {
    case .creation(let creation):
      writer.name("creation")
      write(creation, &writer)
    case .action(let action):
      writer.name("action")
      write(action, &writer)
    }
    if let author { writer.member("by", author) }
    writer.close("}")
    return writer.bytes
  }

  package static func read(_ bytes: [UInt8], version: Int) throws(UnreadableFormat) -> (cause: Entry.Cause, author: String?) {
    guard (1...Self.version).contains(version) else { throw UnreadableFormat(reason: "format \(version) is a newer one") }
    return try DiskReader.all(of: bytes) { reader throws(UnreadableFormat) in
      var found: Entry.Cause?
      var author: String?
      try reader.object { reader, member throws(UnreadableFormat) in
        switch member {
        case "creation": found = .creation(try creation(&reader))
        case "action":
          var record = ActionRecord()
          try reader.object { reader, member throws(UnreadableFormat) in try record.read(member, &reader) }
          guard let action = record.action else { throw reader.fault("not an action") }
          found = .action(action)
        case "by": author = try reader.string()
        default: throw reader.unknown(member)
        }
      }
      guard let found else { throw reader.missing("a cause") }
      return (found, author)
    }
  }

  private static func write(_ creation: Creation, _ writer: inout DiskWriter) {
    writer.open("{")
    writer.member("hasToken", creation.hasToken)
    writer.name("facts")
    writer.write(creation.facts)
    writer.name("environment")
    writer.write(creation.environment.mapValues(Value.string))
    writer.member("manualClock", creation.manualClock)
    if creation.manualRequests { writer.member("manualRequests", true) }
    writer.close("}")
  }

  private static func creation(_ reader: inout DiskReader) throws(UnreadableFormat) -> Creation {
    var creation = Creation()
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "hasToken": creation.hasToken = try reader.bool()
      case "facts": creation.facts = try reader.values()
      case "environment":
        try reader.members { reader, name throws(UnreadableFormat) in creation.environment[name] = try reader.string() }
      case "manualClock": creation.manualClock = try reader.bool()
      case "manualRequests": creation.manualRequests = try reader.bool()
      default: throw reader.unknown(member)
      }
    }
    return creation
  }
}
