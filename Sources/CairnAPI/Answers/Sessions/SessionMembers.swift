/// Members of a session that the response to a post can contain in addition: those that an action can change, except for the view and the revision, which every
/// response contains.
package struct SessionMembers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let accepts = SessionMembers(rawValue: 1 << 0)
  package static let definition = SessionMembers(rawValue: 1 << 1)
  package static let expiresAt = SessionMembers(rawValue: 1 << 2)
  package static let facts = SessionMembers(rawValue: 1 << 3)
  package static let login = SessionMembers(rawValue: 1 << 4)
  package static let now = SessionMembers(rawValue: 1 << 5)
  package static let pending = SessionMembers(rawValue: 1 << 6)
  package static let updatedAt = SessionMembers(rawValue: 1 << 7)

  /// The name of each member, in the order in which they are written.
  private static let names: [(text: String, lowercased: [UInt8], member: SessionMembers)] = [
    named("accepts", .accepts), named("definition", .definition), named("expiresAt", .expiresAt), named("facts", .facts),
    named("login", .login), named("now", .now), named("pending", .pending), named("updatedAt", .updatedAt),
  ]

  private static func named(_ name: String, _ member: SessionMembers) -> (text: String, lowercased: [UInt8], member: SessionMembers) {
    (name, Array(name.lowercased().utf8), member)
  }

  /// The names of all members, sorted.
  package static let allNames = names.map(\.text)

  /// The member with this name in lower case; no member if the name is unknown.
  package init(lowercased name: some Collection<UInt8>) {
    self = Self.names.first { $0.lowercased.elementsEqual(name) }?.member ?? []
  }

  /// The names of the members, sorted and separated by blanks.
  package var names: String { Self.names.filter { contains($0.member) }.map(\.text).joined(separator: " ") }
}
