package import CairnCore

/// A remote notification: the JSON of a file for `simctl push`, or an FCM v1 message. The sender may add members. The body of a request is
/// the notification itself, or an object with the notification as `payload`, which may also contain the pressed button and the reply.
package struct NotificationRequest: Hashable, Sendable {
  /// The payload that the app receives.
  package var payload: Value
  /// Whether the notification was an FCM message.
  package var isMessage: Bool
  /// The identifier of the pressed button; `nil` if no button was pressed.
  package var action: String?
  /// The text of the reply; `nil` if the user sent no reply.
  package var reply: String?
  /// The JSON Pointer of the notification in the body.
  private var place = ""

  /// Reads a body. `action` and `reply` are the values of the query parameters. Throws if the body is not a valid notification, or if it also contains
  /// a value that a query parameter gives.
  package init(_ body: Value, action: String? = nil, reply: String? = nil) throws(BodyFault) {
    guard case .object(var members) = body else {
      throw .wrongShape("a notification must be an object such as {\"aps\": {…}, \"url\": …}, not \(body.kindName)")
    }
    (self.action, self.reply) = (action, reply)
    if let payload = Self.payload(in: members) {
      place = "/payload"
      let use = try NotificationUse(body, besides: (action, reply))
      (self.action, self.reply) = (use.action, use.reply)
      members = payload
    } else {
      try NotificationUse.check(action, reply)
    }
    // Some platforms report a tap on the notification itself as a button without a name.
    if self.action == "" { self.action = nil }
    if let aps = members["aps"], aps.kindName != "object" {
      throw .invalid([.init(pointer: "\(place)/aps", detail: "must be an object, not \(aps.kindName)")])
    }
    if members["aps"] == nil, case .object(let message)? = members["message"] {
      payload = Self.payload(of: message)
      isMessage = true
    } else {
      payload = .object(members)
      isMessage = false
    }
  }

  /// Returns the command. The definition names the members of the payload that may contain the link and the category. Throws if the
  /// definition explicitly names members for the link or the category, and these members contain a value but no string.
  package func command(_ definition: NotificationDefinition, tap: Bool, appState: Action.AppState) throws(BodyFault) -> Command {
    let faults = [
      definition.namesLink ? fault(at: definition.linkPointers) : nil,
      definition.namesCategory ? fault(at: definition.categoryPointers) : nil,
    ].compactMap(\.self)
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
  /// `null` or an empty string. Throws if the id has another type or is too long.
  package func id(at pointer: String) throws(BodyFault) -> String? {
    func fault(_ text: String) -> BodyFault {
      .invalid([.init(pointer: self.pointer(to: pointer), detail: "is the message's id, so it must \(text)")])
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

  /// Returns a fault if no pointer points to a string, but one points to another value; otherwise `nil`. `null` and an empty string count
  /// as missing.
  private func fault(at pointers: [String]) -> Refusal.Fault? {
    guard payload.text(at: pointers) == nil else { return nil }
    for pointer in pointers {
      switch payload.at(pointer: pointer) {
      case nil, .null?, .string?: continue
      case let value?: return .init(pointer: self.pointer(to: pointer), detail: "must be a string, not \(value.kindName)")
      }
    }
    return nil
  }

  /// The JSON Pointer of the link in the body. For an FCM message, this is the pointer of the whole message.
  package func linkPointer(_ definition: NotificationDefinition) -> String {
    pointer(to: payload.text(at: definition.linkPointers)?.pointer ?? "")
  }

  private func pointer(to part: String) -> String { place + (isMessage ? "/message" : part) }

  /// Returns the notification in an object that may also contain the pressed button and the reply; `nil` if the body is the notification
  /// itself. A body with a member `aps` or `message` is the notification itself, even if it has an object `payload`.
  private static func payload(in members: [String: Value]) -> [String: Value]? {
    guard members["aps"] == nil, members["message"] == nil, case .object(let payload)? = members["payload"] else { return nil }
    return payload
  }

  /// Merges the message's own members, its `apns.payload`, its `android.data` and its `data` into one object, because an app receives the
  /// data at the top level. If a name occurs twice, the first value is used.
  private static func payload(of message: [String: Value]) -> Value {
    var members = message
    let whole = Value.object(message)
    for layer in [whole.at(["apns", "payload"]), whole.at(["android", "data"]), message["data"]] {
      if case .object(let further)? = layer { members.merge(further) { first, _ in first } }
    }
    return .object(members)
  }
}
