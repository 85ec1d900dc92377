package import CairnCore

/// The body of a request for predictions: actions, each of which runs on a copy of the current state. The actions are not performed.
package struct PredictionRequest: Hashable, Sendable {
  package var actions: ActionRequest

  /// The maximum number of actions.
  package static let limit = 32

  package static let schema = Schema.closed([
    Property(
      "actions", .list(of: .shared(.action), atLeast: 1, atMost: limit), "The actions, each of which is predicted from the current state.")
  ])

  /// Reads a body. Throws unless it is an object with valid members. `byOperator` is whether an operator posts it.
  package init(_ body: JSONElement, byOperator: Bool) throws(BodyFault) {
    guard body.isObject else {
      throw .wrongShape("the body must be an object such as {\"actions\": [{\"type\": \"back\"}]}, not \(body.value.kindName)")
    }
    var members = Members(body)
    let element = members.read("actions", "an array of actions", isRequired: true) { $0.isArray ? $0 : nil }
    if let count = element?.count, !(1...Self.limit).contains(count) {
      members.fault("actions", "must have 1 to \(Self.limit) actions, not \(count)")
    }
    members.rejectOthers()
    guard members.faults.isEmpty, let element else { throw .invalid(members.faults) }
    actions = try ActionRequest(element, byOperator: byOperator)
  }
}
