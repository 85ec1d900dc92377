import CairnCore

extension NotificationRequest {
  /// An object with what its sender puts into it; where link, category and id stand, the app says.
  package static let schema = Schema(["type": "object"]).about(
    "The file that simctl push takes, or an FCM message; what is in it is its sender's, and where link, category and id stand, the app says."
  ).with("properties", ["aps": ["type": "object"]])
}
