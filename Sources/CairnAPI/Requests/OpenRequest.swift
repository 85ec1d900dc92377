package import CairnCore

/// A deep link that is opened.
package struct OpenRequest: Hashable, Sendable {
  package var url: String

  package init(_ body: Value) throws(BodyFault) {
    guard case .object(let object) = body else {
      throw .wrongShape("a link is opened by an object such as {\"url\": …}, not \(body.kindName)")
    }
    var members = Members(object, at: "")
    url = members.string("url", isRequired: true) ?? ""
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}
