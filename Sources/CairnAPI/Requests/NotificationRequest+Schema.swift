import CairnCore

extension NotificationRequest {
  /// The schema of a notification. The sender chooses the members of the payload. The app's definition names the members that contain the
  /// link, the category and the id.
  package static let schema = Schema.one(of: [.shared(.notificationPayload), .shared(.notificationUse)])

  /// The schema of a notification as the push service delivers it.
  static let payloadSchema = Schema(["type": "object"]).about(
    "A payload as a file for `simctl push`, or an FCM message. The app's definition names the members of the payload that contain link, category and id."
  ).with("properties", ["aps": ["type": "object"]]).with("not", hasUse)

  /// The schema of a notification with the user's reaction to it.
  static let useSchema = Schema.closed(NotificationUse.properties).about(
    "A notification: its payload, and optionally the pressed button and the text of the reply.")

  /// A schema that matches a body with the notification as `payload`.
  private static let hasUse: Value = [
    "required": ["payload"], "properties": ["payload": ["type": "object"]],
    "not": ["anyOf": [["required": ["aps"]], ["required": ["message"]]]],
  ]
}
