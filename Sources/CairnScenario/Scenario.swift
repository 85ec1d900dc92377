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
  /// The claims about the app, to be read with its definition; `nil` if there are no claims.
  package var claims: Element?
  package var scenarios: [Scenario]
}

/// One case.
package struct Scenario: Sendable {
  /// The number of the reference case, if it has one.
  package var number: String?
  package var name: String
  package var line: Int
  package var given: Given
  var steps: [Step]

  /// How the session starts. Its clock is manual: nothing waits.
  package struct Given: Sendable {
    package var accessToken: String?
    package var facts: [String: Value] = [:]
    package var environment: [String: String] = [:]
    /// A link or a notification.
    package var arrival: Occurrence?
  }

  /// Occurrences, and the conditions that hold after them.
  struct Step: Sendable {
    var occurrences: [Occurrence]
    var expectation: Expectation?
    var line: Int
  }

  /// One thing that happens to a session.
  package enum Occurrence: Sendable {
    /// An action as a client posts it; a name in `from` or `node` is the newest node of that name.
    case action(Value)
    /// Several in one request: all or none.
    case actions([Value])
    case open(String)
    /// `action`, `reply`: the button that is pressed, and what is written into it.
    case notification(Value, tap: Bool, appState: Action.AppState, action: String? = nil, reply: String? = nil)
    case advance(Int)
    /// A request or a token call ends.
    case answer(RequestAnswer)
    /// The oldest request of a load is answered over HTTP, so many milliseconds after it left.
    case response(HTTPAnswer)
  }
}

/// A server's response to a request.
package struct HTTPAnswer: Sendable {
  var status = 200
  /// nil: nothing.
  var body: Value?
  /// Milliseconds from when the request leaves.
  var after = 0
}

/// The conditions that have to hold; a `nil` member is not checked.
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
  /// The gestures that would be asked.
  var guarded: [String]?
  /// The URL of the oldest link that is held.
  var pendingLink: String?
  /// The URLs of all that are held, in the order of their coming.
  var pendingLinks: [String]?
  /// The names of the modals that wait, the oldest first.
  var waiting: [String]?
  var loads: Int?
}
