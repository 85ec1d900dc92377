import CairnAPI

/// The body of a post of actions.
enum PostedActions {
  /// One action or an array.
  case plain(ActionRequest)
  case numbered(NumberedRequest)
}
