import CairnCore

/// The pressed button and the reply of a notification, in a body that has the notification as `payload`.
struct NotificationUse {
  let action: String?
  let reply: String?

  /// The maximum lengths in Unicode scalars, which is how JSON Schema counts characters.
  static let (actionLimit, replyLimit) = (255, 10_000)

  private static let actionMember = Member<String>(
    "action", "a string", .text.with("maxLength", .integer(actionLimit)), "Identifier of the pressed button."
  ) { $0.string }
  private static let replyMember = Member<String>(
    "reply", "a string", .text.with("maxLength", .integer(replyLimit)), "The text of the reply, which may have several lines."
  ) { $0.string }

  /// The properties of a body with a notification and the user's reaction.
  static let properties: [Property] = [
    Property(
      "payload", Schema(["type": "object"]).with("properties", ["aps": ["type": "object"]]),
      "The payload file of simctl push, or the FCM message."),
    actionMember.property, replyMember.property,
  ]

  /// Reads the members except `payload`. `given` contains the button and the reply from the query, which the body must not repeat. Throws if a member
  /// is invalid, unknown or too long.
  init(_ body: Value, besides given: (action: String?, reply: String?)) throws(BodyFault) {
    let read = try JSONBody.read(body) { element throws(BodyFault) -> (String?, String?) in
      var members = Members(element)
      members.know("payload")
      let read = (members.read(Self.actionMember), members.read(Self.replyMember))
      for (name, isTwice) in [("action", read.0 != nil && given.action != nil), ("reply", read.1 != nil && given.reply != nil)]
      where isTwice {
        members.fault(name, "is also a query parameter; give it only once")
      }
      members.rejectOthers()
      guard members.faults.isEmpty else { throw .invalid(members.faults) }
      return read
    }
    (action, reply) = (read.0 ?? given.action, read.1 ?? given.reply)
    try Self.check(action, reply)
  }

  /// Throws if the button's identifier or the reply is too long.
  static func check(_ action: String?, _ reply: String?) throws(BodyFault) {
    var faults = Faults()
    for (name, text, limit) in [("action", action, actionLimit), ("reply", reply, replyLimit)] {
      guard let text, text.unicodeScalars.count > limit else { continue }
      faults.append(.init(pointer: "/\(name)", detail: "must have at most \(limit) characters"))
    }
    guard faults.isEmpty else { throw .invalid(faults) }
  }
}
