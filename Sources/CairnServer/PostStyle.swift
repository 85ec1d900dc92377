import CairnHTTP

/// How a post is to be answered.
struct PostStyle {
  /// It was an array of actions, and the answer is one of answers.
  var isArray: Bool
  /// Without stack and tree.
  var isMinimal: Bool
  /// Whether the request is a plan, which is not performed.
  var isPlan: Bool
  /// Where in the body the link stands.
  var url: String

  /// `headers`: the request's, which may ask for less.
  init(_ headers: ReceivedHeaders, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") {
    self.isArray = isArray
    isMinimal = headers.all("Prefer").contains { Preferences.askForMinimum($0) }
    self.isPlan = isPlan
    self.url = url
  }
}
