import CairnHTTP

/// The form of a post and of its response.
struct PostStyle {
  /// Whether the body is an array of actions. The response then contains an array of outcomes.
  var isArray: Bool
  /// Whether the response omits the stack and the tree.
  var isMinimal: Bool
  /// Whether the request is a plan, which is not performed.
  var isPlan: Bool
  /// The JSON pointer to the link in the body.
  var url: String

  /// `headers` are those of the request. Its `Prefer` header can select the short response.
  init(_ headers: ReceivedHeaders, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") {
    self.isArray = isArray
    isMinimal = headers.all("Prefer").contains { Preferences.askForMinimum($0) }
    self.isPlan = isPlan
    self.url = url
  }
}
