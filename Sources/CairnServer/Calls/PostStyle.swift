import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// The properties of a post that determine its response.
struct PostStyle {
  /// Whether the body is an array of actions. The response then contains an array of outcomes.
  var isArray: Bool
  /// The client's preferences for the response.
  var preferences: Preferences
  /// Whether the request is a plan, which is not performed.
  var isPlan: Bool
  /// The JSON pointer to the link in the body.
  var url: String
  /// The time to live that the settings specify for sessions, in milliseconds; `nil` if they specify none. Members of the response such as
  /// the expiry time depend on it.
  var sessionTTL: Int?

  init(_ preferences: Preferences, sessionTTL: Int?, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") {
    self.isArray = isArray
    self.preferences = preferences
    self.isPlan = isPlan
    self.url = url
    self.sessionTTL = sessionTTL
  }

  /// Returns the part of the response for an engine in the client: the changes of the state. `nil` if the client did not ask for it, if the
  /// request is a plan, or if the action created no entry or several.
  func replica(of performed: Performed, by reducer: Reducer) -> ReplicaBody? {
    preferences.addition == .replica && !isPlan ? ReplicaBody(performed.difference, by: reducer) : nil
  }

  /// Returns the members of a session that the client asked for; `nil` if the client asked for no members.
  func included(of session: Session, predictions: [PredictionBody]? = nil, replica: ReplicaBody? = nil) -> IncludedMembers? {
    let members = preferences.included
    guard !members.isEmpty || predictions != nil || replica != nil else { return nil }
    var body = SessionBody(session, sessionTTL: sessionTTL)
    body.predictions = predictions
    return IncludedMembers(members, of: body, replica: replica)
  }
}
