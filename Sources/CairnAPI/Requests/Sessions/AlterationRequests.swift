package import CairnCore

/// The body of a request that migrates one session.
package struct MigrationRequest: Hashable, Sendable {
  /// The hash of the definition to which the session moves.
  package var to: String

  private static let to = Member<String>(
    "to", "a definition's hash, 64 lowercase hexadecimal digits", .definitionHash, "The hash of the new definition.", isRequired: true
  ) { element in element.string.flatMap { $0.isDefinitionHash ? $0 : nil } }
  package static let schema = Schema.closed([to.property])

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else { throw .wrongShape("a migration must be an object such as {\"to\": …}, not \(body.value.kindName)") }
    var members = Members(body)
    to = members.read(Self.to) ?? ""
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}

/// The body of a request that restores a session's state at an earlier revision.
package struct UndoRequest: Hashable, Sendable {
  package var revision: Int
  package var reason: String?

  private static let revision = Member<Int>(
    "revision", "an integer of at least 1", .whole(from: 1), "The revision to restore.", isRequired: true
  ) { element in element.integer.flatMap { $0 >= 1 ? $0 : nil } }
  private static let reason = Member<String>.line("reason", "The reason for the undo; it is stored in the history.", atMost: 200)
  package static let schema = Schema.closed([revision.property, reason.property])

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else { throw .wrongShape("an undo must be an object such as {\"revision\": 7}, not \(body.value.kindName)") }
    var members = Members(body)
    revision = members.read(Self.revision) ?? 0
    reason = members.line(Self.reason)
    if let reason, reason.unicodeScalars.count > 200 { members.fault("reason", "must have at most 200 characters") }
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}

/// The body of a request that forgets a part of a session's history.
package struct ForgetRequest: Hashable, Sendable {
  /// The first revision that is kept; `nil` means the newest.
  package var before: Int?

  private static let before = Member<Int>(
    "before", "an integer of at least 1", .whole(from: 1), "The first revision that remains readable; default the newest."
  ) { element in element.integer.flatMap { $0 >= 1 ? $0 : nil } }
  package static let schema = Schema.closed([before.property])

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else { throw .wrongShape("the body must be an object such as {\"before\": 7} or {}, not \(body.value.kindName)") }
    var members = Members(body)
    before = members.read(Self.before)
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}
