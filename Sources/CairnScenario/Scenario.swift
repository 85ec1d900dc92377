package import CairnCore
package import CairnDefinition

/// A scenario file. Each scenario has the form: given a session, when actions are posted, then the session has a certain state.
package struct ScenarioFile: Sendable {
  /// The path of the file as given on the command line.
  package var file: String
  /// The definition's file, relative to the scenario file.
  package var app: String
  /// The file of the migration document, relative to the scenario file; `nil` if the file names none.
  package var migration: String?
  /// The start of every session in the file. The members of a scenario's own `given` replace those of this start.
  package var given: Scenario.Given
  /// The claims about the app, which are read together with its definition; `nil` if the file contains none.
  package var claims: Element?
  package var scenarios: [Scenario]
}

/// One test case.
package struct Scenario: Sendable {
  /// The value of the scenario's member `case`, such as a number in a list of test cases; `nil` if the member is missing.
  package var number: String?
  package var name: String
  package var line: Int
  package var given: Given
  /// The name of the scenario from whose end this scenario starts; `nil` if it has its own start.
  package var after: String?
  /// The steps of the earlier scenarios that this scenario continues. They run before its own steps.
  var before: [Step] = []
  var steps: [Step]

  /// The number, if there is one, and the name.
  package var title: String { [number, name].compactMap(\.self).joined(separator: " ") }

  /// The occurrences of the scenario itself, in order.
  package var occurrences: [Occurrence] { steps.flatMap(\.occurrences) }

  /// The number of occurrences, including those of the scenarios that this scenario continues. Each action of an array or a queue is counted.
  package var size: Int {
    (before + steps).flatMap(\.occurrences).reduce(0) { count, occurrence in
      switch occurrence {
      case .actions(let actions), .offline(let actions): count + actions.count
      default: count + 1
      }
    }
  }

  /// The start of a session. The session has a manual clock, so a scenario never waits for real time.
  package struct Given: Sendable {
    /// The file of the definition with which the session starts, relative to the scenario file; `nil` for the file's `app`. The occurrence `migrate` moves the
    /// session to the file's `app`.
    package var definition: String?
    package var accessToken: String?
    /// The time at which the clock starts, in milliseconds since 1970; `nil` for a default, which depends on the player.
    package var time: Int?
    package var facts: [String: Value] = [:]
    package var environment: [String: String] = [:]
    /// The link or notification of a cold start; `nil` if there is none.
    package var arrival: Occurrence?
  }

  /// Occurrences, and the expectation that is checked after them.
  struct Step: Sendable {
    var occurrences: [Occurrence]
    var expectation: Expectation?
    var line: Int
  }

  /// An event from outside that happens to a session.
  package enum Occurrence: Sendable {
    /// An action as a client posts it. In `from` and `node`, a name represents the newest node with that name.
    case action(Value)
    /// Several actions in one request, which are applied as a whole or not at all.
    case actions([Value])
    case open(String)
    /// A notification with its payload. `action` is the identifier of the pressed button, and `reply` is the text that the user entered;
    /// each is `nil` if there is none.
    case notification(Value, tap: Bool, appState: Action.AppState, action: String? = nil, reply: String? = nil)
    case advance(Int)
    /// The session migrates from the definition with which it started to the file's `app`.
    case migrate
    /// The session is set back to a revision.
    case undo(Int)
    /// The end of a load, a message or a token exchange.
    case answer(RequestAnswer)
    /// An HTTP response to the oldest load or message. It arrives `HTTPAnswer.after` milliseconds after the request was sent.
    case response(HTTPAnswer)
    /// The user acts without a network. The client shows the actions at once, and posts them at `online`.
    case offline([Value])
    /// The client posts the actions of `offline`.
    case online
  }
}

/// A server's response to a request.
package struct HTTPAnswer: Sendable {
  var status = 200
  /// The body; `nil` if it is empty.
  var body: Value?
  /// The milliseconds between the request and the response.
  var after = 0
}

/// The expected state of a session. A `nil` member is not checked.
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
  /// The refused actions of a queue, each as `action code`; `nil` if none may be refused.
  var refusedActions: [String]?
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
  /// The gestures that a guard would intercept.
  var guarded: [String]?
  /// The name of the node whose guard has asked the question; `null` for no question.
  var question: String?
  /// The URL of the oldest held link.
  var pendingLink: String?
  /// The URLs of all held links, the oldest first.
  var pendingLinks: [String]?
  /// The names of the queued modals and overlays, the oldest first.
  var waiting: [String]?
  var loads: Int?
  /// The keys of the messages that have not ended, the oldest first.
  var messages: [String]?
}
