package import CairnCore

/// A copy of a session at a revision.
package struct ForkRequest: Hashable, Sendable {
  /// The revision; `nil` for the newest one.
  package var revision: Int?
  package var label: String?

  private static let revision = Member<Int>.integer("revision", atLeast: 1, "The revision that is copied. Without it the newest.")
  package static let schema = Schema.closed([revision.property, CreationMembers.label.property])

  /// Reads a body.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else { throw .wrongShape("a fork is an object such as {\"revision\": 7}, not \(body.value.kindName)") }
    var members = Members(body)
    revision = members.read(Self.revision)
    label = members.label()
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}

extension Members {
  /// Reads the label of a new session.
  mutating func label() -> String? {
    let label = line(CreationMembers.label)
    if let label, label.unicodeScalars.count > CreationRequest.labelLimit {
      fault("label", "must have at most \(CreationRequest.labelLimit) characters")
    }
    return label
  }
}
