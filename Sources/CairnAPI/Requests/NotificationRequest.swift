package import CairnCore

/// A remote notification: the file that `simctl push` takes, or an FCM v1 message. What it holds beside link and category is its sender's.
package struct NotificationRequest: Hashable, Sendable {
  package var url: String?
  package var category: String?

  /// Finds link and category where the definition says that they are.
  package init(_ body: Value, _ definition: NotificationDefinition) throws(BodyFault) {
    guard case .object(let members) = body else {
      throw .wrongShape("a notification is an object such as {\"aps\": {…}, \"url\": …}, not \(body.kindName)")
    }
    if let aps = members["aps"], aps.kindName != "object" {
      throw .invalid([.init(pointer: "/aps", detail: "must be an object, not \(aps.kindName)")])
    }
    let payload = Self.payload(of: members)
    url = Self.first(of: definition.linkPointers, in: payload)
    category = Self.first(of: definition.categoryPointers, in: payload)
  }

  /// What the app finds in its hands: of an FCM message its own members, then those that are sent to Apple, then its data,
  /// which arrives at the top level.
  private static func payload(of members: [String: Value]) -> Value {
    guard case .object(var message)? = members["message"], members["aps"] == nil else { return .object(members) }
    for layer in [Value.object(message).at(["apns", "payload"]), message["data"]] {
      if case .object(let further)? = layer { message.merge(further) { first, _ in first } }
    }
    return .object(message)
  }

  private static func first(of pointers: [String], in payload: Value) -> String? {
    for pointer in pointers {
      if case .string(let text)? = value(at: pointer, in: payload) { return text }
    }
    return nil
  }

  /// RFC 6901, 4.
  private static func value(at pointer: String, in value: Value) -> Value? {
    var here = value
    for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = String(token.replacing("~1", with: "/").replacing("~0", with: "~"))
      switch here {
      case .object(let members):
        guard let next = members[name] else { return nil }
        here = next
      case .array(let elements):
        guard let index = Int(name), String(index) == name, elements.indices.contains(index) else { return nil }
        here = elements[index]
      default: return nil
      }
    }
    return here
  }
}
