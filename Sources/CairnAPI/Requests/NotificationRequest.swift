package import CairnCore

/// A remote notification: the file that `simctl push` takes, or an FCM v1 message. Its other members belong to its sender.
package struct NotificationRequest: Hashable, Sendable {
  /// The payload that the app receives.
  package var payload: Value
  /// It was an FCM message.
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

  /// The command; link and category are found where the definition says that they are, and are strings if they are there at all.
  /// `action`, `reply`: the button that was pressed, and what was written into it.
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

  /// The longest id, in bytes.
  package static let idLimit = 255

  /// Returns the message's id, a string or a whole number, from the member that the definition names. `nil` if there is no such member.
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

  /// Where in the body the link stands: a JSON Pointer; for an FCM message the message.
  package func linkPointer(_ definition: NotificationDefinition) -> String {
    guard !isMessage else { return "/message" }
    return definition.linkPointers.first { if case .string? = payload.at(pointer: $0) { true } else { false } } ?? ""
  }

  /// The message's own members, then those that are sent to Apple, then its data, which arrives at the top level.
  private static func payload(of message: [String: Value]) -> Value {
    var members = message
    for layer in [Value.object(message).at(["apns", "payload"]), message["data"]] {
      if case .object(let further)? = layer { members.merge(further) { first, _ in first } }
    }
    return .object(members)
  }
}
