import CairnCore

extension NotificationRequest {
  /// The schema of a notification. The sender chooses the members, and the app's definition says which of them contain link, category and
  /// id.
  package static let schema = Schema.one(of: [.shared(.notificationPayload), .shared(.notificationUse)])

  /// A notification as it was sent.
  static let payloadSchema = Schema(["type": "object"]).about(
    "A payload file of simctl push, or an FCM message. The app's definition names the members that contain link, category and id."
  ).with("properties", ["aps": ["type": "object"]]).with("not", hasUse)

  /// A notification with what the user did with it.
  static let useSchema = Schema.closed(NotificationUse.properties).about(
    "A notification as payload, with the pressed button and the text of the reply.")

  /// Whether a body has the notification as `payload`.
  private static let hasUse: Value = [
    "required": ["payload"], "properties": ["payload": ["type": "object"]],
    "not": ["anyOf": [["required": ["aps"]], ["required": ["message"]]]],
  ]
}
