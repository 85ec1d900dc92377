package import CairnCore

/// The body of a request that copies a session at a revision.
package struct ForkRequest: Hashable, Sendable {
  /// The revision to copy; `nil` for the newest one.
  package var revision: Int?
  package var label: String?

  private static let revision = Member<Int>.integer("revision", atLeast: 1, "The revision to copy; default the newest.")
  package static let schema = Schema.closed([revision.property, CreationMembers.label.property])

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else { throw .wrongShape("a fork must be an object such as {\"revision\": 7}, not \(body.value.kindName)") }
    var members = Members(body)
    revision = members.read(Self.revision)
    label = members.label()
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}

extension Members {
  /// Reads the label of a new session; `nil` if the label is missing or cannot be read. Records a fault if the label is invalid.
  mutating func label() -> String? {
    let label = line(CreationMembers.label)
    if let label, label.unicodeScalars.count > CreationRequest.labelLimit {
      fault("label", CreationRequest.longLabel)
    }
    return label
  }
}

extension CreationRequest {
  fileprivate static let longLabel = "must have at most \(labelLimit) characters"

  /// Returns the fault of a text that cannot be a label, as a clause without its subject; `nil` if the text is a valid label.
  package static func fault(ofLabel label: String) -> String? {
    if label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { return "must not contain control characters" }
    return label.unicodeScalars.count > labelLimit ? longLabel : nil
  }
}
