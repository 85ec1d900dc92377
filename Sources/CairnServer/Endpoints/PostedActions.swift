import CairnAPI

/// The parsed body of `POST /v1/sessions/{id}/actions`.
enum PostedActions {
  /// One action or an array.
  case plain(ActionRequest)
  case numbered(NumberedRequest)
}
