import CairnCore

extension NotificationRequest {
  /// The schema of a notification. The sender chooses the members, and the app's definition says which of them contain link, category and
  /// id.
  package static let schema = Schema(["type": "object"]).about(
    "The file that simctl push takes, or an FCM message; what is in it is its sender's, and where link, category and id stand, the app says."
  ).with("properties", ["aps": ["type": "object"]])
}
