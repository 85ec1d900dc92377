import CairnAPI
import CairnHTTP
import CairnStore

/// The form of a post and of its response.
struct PostStyle {
  /// Whether the body is an array of actions. The response then contains an array of outcomes.
  var isArray: Bool
  /// The client's preferences for the response.
  var preferences: Preferences
  /// Whether the request is a plan, which is not performed.
  var isPlan: Bool
  /// The JSON pointer to the link in the body.
  var url: String
  /// The milliseconds after which sessions expire, by setting. The members that the response includes depend on it.
  var sessionTTL: Int?

  /// `headers` are those of the request.
  init(_ headers: ReceivedHeaders, sessionTTL: Int?, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") {
    self.isArray = isArray
    preferences = Preferences(headers)
    self.isPlan = isPlan
    self.url = url
    self.sessionTTL = sessionTTL
  }

  /// The members of a session that the client asked for; `nil` if it asked for none.
  func included(of session: Session, predictions: [PredictionBody]? = nil) -> IncludedMembers? {
    let members = preferences.included
    guard !members.isEmpty || predictions != nil else { return nil }
    var body = SessionBody(session, sessionTTL: sessionTTL)
    body.predictions = predictions
    return IncludedMembers(members, of: body)
  }
}
