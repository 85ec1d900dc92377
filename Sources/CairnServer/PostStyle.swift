import CairnHTTP

/// The form of the response that a POST asks for.
struct PostStyle {
  /// Whether the body was an array of actions, so that the response is an array too.
  var isArray: Bool
  /// Whether the response omits stack and tree.
  var isMinimal: Bool
  /// Whether the request is a plan, which is not performed.
  var isPlan: Bool
  /// The JSON pointer of the link in the body.
  var url: String

  /// `headers` are those of the request, which may ask for a minimal response (`Prefer`).
  init(_ headers: ReceivedHeaders, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") {
    self.isArray = isArray
    isMinimal = headers.all("Prefer").contains { Preferences.askForMinimum($0) }
    self.isPlan = isPlan
    self.url = url
  }
}
