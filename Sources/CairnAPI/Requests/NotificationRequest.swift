package import CairnCore

/// A remote notification: the file that `simctl push` takes, or an FCM v1 message. The sender chooses the other members.
package struct NotificationRequest: Hashable, Sendable {
  /// The payload that the app receives.
  package var payload: Value
  /// Whether the body was an FCM message.
  package var isMessage: Bool

  package init(_ body: Value) throws(BodyFault) {
    guard case .object(let members) = body else {
      throw .wrongShape("a notification is an object such as {\"aps\": {…}, \"url\": …}, not \(body.kindName)")
    }
    if let aps = members["aps"], aps.kindName != "object" {
      throw .invalid([.init(pointer: "/aps", detail: "must be an object, not \(aps.kindName)")])
    }
    if members["aps"] == nil, case .object(let message)? = members["message"] {
      payload = Self.payload(of: message)
      isMessage = true
    } else {
      payload = body
      isMessage = false
    }
  }

  /// Returns the command. The definition says which members of the payload contain link and category; throws unless they are strings or
  /// missing. `action` is the button that was pressed, and `reply` is the text that was entered.
  package func command(
    _ definition: NotificationDefinition, tap: Bool, appState: Action.AppState, action: String? = nil, reply: String? = nil
  ) throws(BodyFault) -> Command {
    let faults = [definition.linkPointers, definition.categoryPointers].compactMap(fault)
    guard faults.isEmpty else {
      var all = Faults()
      for fault in faults { all.append(fault) }
      throw .invalid(all)
    }
    return .action(definition.action(for: payload, tap: tap, appState: appState, action: action, reply: reply, isMessage: isMessage))
  }

  /// The maximum length of an id in bytes.
  package static let idLimit = 255

  /// Returns the message's id, a string or an integer, from the member that the definition names. Returns `nil` if the member is missing,
  /// `null` or an empty string. Throws if it has another type or is too long.
  package func id(at pointer: String) throws(BodyFault) -> String? {
    func fault(_ text: String) -> BodyFault {
      .invalid([.init(pointer: isMessage ? "/message" : pointer, detail: "is the message's id: it must \(text)")])
    }
    switch payload.at(pointer: pointer) {
    case nil, .null?, .string("")?: return nil
    case .integer(let number)?: return String(number)
    case .string(let text)?:
      guard text.utf8.count <= Self.idLimit else { throw fault("have at most \(Self.idLimit) bytes") }
      return text
    case let value?: throw fault("be a string or a whole number, not \(value.kindName)")
    }
  }

  /// Returns a fault if the first link or category found is not a string.
  private func fault(at pointers: [String]) -> Refusal.Fault? {
    for pointer in pointers {
      guard let value = payload.at(pointer: pointer), value != .null else { continue }
      if case .string = value { return nil }
      return .init(pointer: isMessage ? "/message" : pointer, detail: "must be a string, not \(value.kindName)")
    }
    return nil
  }

  /// The JSON Pointer of the link in the body. For an FCM message it is the pointer of the whole message.
  package func linkPointer(_ definition: NotificationDefinition) -> String {
    guard !isMessage else { return "/message" }
    return definition.linkPointers.first { if case .string? = payload.at(pointer: $0) { true } else { false } } ?? ""
  }

  /// Merges the message's own members, its payload for Apple and its data into one object, because an app receives the data at the top
  /// level. If a name occurs twice, the first value is used.
  private static func payload(of message: [String: Value]) -> Value {
    var members = message
    for layer in [Value.object(message).at(["apns", "payload"]), message["data"]] {
      if case .object(let further)? = layer { members.merge(further) { first, _ in first } }
    }
    return .object(members)
  }
}
