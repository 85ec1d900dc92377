package import CairnCore

/// A remote notification: the file that `simctl push` takes, or an FCM v1 message. What it holds beside link and category is its sender's.
package struct NotificationRequest: Hashable, Sendable {
  /// What the app finds in its hands.
  package var payload: Value

  package init(_ body: Value) throws(BodyFault) {
    guard case .object(let members) = body else {
      throw .wrongShape("a notification is an object such as {\"aps\": {…}, \"url\": …}, not \(body.kindName)")
    }
    if let aps = members["aps"], aps.kindName != "object" {
      throw .invalid([.init(pointer: "/aps", detail: "must be an object, not \(aps.kindName)")])
    }
    payload = Self.payload(of: members)
  }

  /// The command; link and category are found where the definition says that they are.
  package func command(_ definition: NotificationDefinition, tap: Bool, appState: Action.AppState) -> Command {
    .action(definition.action(for: payload, tap: tap, appState: appState))
  }

  /// Of an FCM message its own members, then those that are sent to Apple, then its data, which arrives at the top level.
  private static func payload(of members: [String: Value]) -> Value {
    guard members["aps"] == nil, case .object(var message)? = members["message"] else { return .object(members) }
    for layer in [Value.object(message).at(["apns", "payload"]), message["data"]] {
      if case .object(let further)? = layer { message.merge(further) { first, _ in first } }
    }
    return .object(message)
  }
}
