package import CairnCore
package import CairnDefinition

/// A file of scenarios: given a session, when actions are posted, then the session is like this.
package struct ScenarioFile: Sendable {
  /// As it was named on the command line.
  package var file: String
  /// The definition's file, relative to the scenario file.
  package var app: String
  /// How every session of the file starts.
  package var given: Scenario.Given
  /// What is claimed of the app, to be read with its definition; nil: nothing is.
  package var claims: Element?
  package var scenarios: [Scenario]
}

/// One case.
package struct Scenario: Sendable {
  /// The number of the reference case, if it has one.
  package var number: String?
  package var name: String
  package var line: Int
  var given: Given
  var steps: [Step]

  /// How the session starts. Its clock is manual: nothing waits.
  package struct Given: Sendable {
    package var accessToken: String?
    package var facts: [String: Value] = [:]
    package var environment: [String: String] = [:]
    var arrival: Occurrence?
  }

  /// What happens, and what holds after it.
  struct Step: Sendable {
    var occurrences: [Occurrence]
    var expectation: Expectation?
    var line: Int
  }

  /// One thing that happens to a session.
  enum Occurrence: Sendable {
    /// An action as a client posts it; a name in `from` or `node` is the newest node of that name.
    case action(Value)
    case open(String)
    case notification(Value, tap: Bool, appState: Action.AppState)
    case advance(Int)
    /// The oldest request that runs ends: with a value, or with a reason.
    case loaded(Value)
    case failed(String)
    /// The oldest token call ends.
    case exchanged
    case exchangeFailed(String)
  }
}

/// What has to hold; what is nil is not looked at.
struct Expectation: Sendable {
  /// The tree in one line, as `Tree.sketch` writes it.
  var tree: String?
  /// The names of the visible routes.
  var stack: [String]?
  var visible: String?
  var outcome: String?
  var reason: String?
  /// The code of the refusal.
  var refused: String?
  /// Every handled step, as `flow step`.
  var steps: [String]?
  /// Every dropped step, as `step reason`.
  var dropped: [String]?
  /// The types of all events, in order.
  var events: [String]?
  /// The operations of all changes, in order.
  var changes: [String]?
  var facts: [String: Value]?
  var login: String?
  /// The names of the steps that may be posted.
  var accepts: [String]?
  var pendingLink: String?
  var loads: Int?
}
