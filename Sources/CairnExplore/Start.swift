import CairnAPI
package import CairnCore

/// The initial values of a session.
package struct Start: Sendable {
  package var accessToken: String?
  package var facts: [String: Value]
  package var environment: [String: String]

  package init(accessToken: String? = nil, facts: [String: Value] = [:], environment: [String: String] = [:]) {
    self.accessToken = accessToken
    self.facts = facts
    self.environment = environment
  }

  /// The session's first entry, with a manual clock and manual requests.
  var creation: Creation {
    Creation(hasToken: accessToken != nil, facts: facts, environment: environment, manualClock: true, manualRequests: true)
  }

  /// The start in the form of a scenario's `given`; `nil` if it is empty.
  var words: String? {
    var members: [String] = []
    if let accessToken { members.append("accessToken: \(YAMLText.scalar(accessToken))") }
    if !facts.isEmpty { members.append("facts: \(YAMLText.flow(.object(facts)))") }
    if !environment.isEmpty { members.append("environment: \(YAMLText.flow(.object(environment.mapValues(Value.string))))") }
    return members.isEmpty ? nil : "{ \(members.joined(separator: ", ")) }"
  }
}
