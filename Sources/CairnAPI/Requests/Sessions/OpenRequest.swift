package import CairnCore

/// The body of a request that opens a deep link.
package struct OpenRequest: Hashable, Sendable {
  package var url: String

  /// The body's only member.
  private static let link = Member.url(
    "url", "A deep link as the operating system passes it to the app, or the URL of the OAuth redirect.", isRequired: true)
  package static let schema = Schema.closed([link.property])

  /// Reads a body that is already a `Value`, with the same checks and errors as for a body in JSON.
  package init(_ body: Value) throws(BodyFault) {
    self = try JSONBody.read(body) { element throws(BodyFault) in try OpenRequest(element) }
  }

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else {
      throw .wrongShape("the body must be an object such as {\"url\": …}, not \(body.value.kindName)")
    }
    var members = Members(body)
    url = members.read(Self.link) ?? ""
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}
