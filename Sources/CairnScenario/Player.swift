package import CairnCore

/// Plays a scenario: on a session of the engine in process, or on one of a service. Its clock and its requests are manual.
package protocol Player {
  /// Starts a session, and opens it by what it is given. Throws where there is none.
  mutating func start(_ given: Scenario.Given) throws -> Played

  /// Lets something happen; what the session refuses stands in the answer.
  mutating func play(_ occurrence: Scenario.Occurrence) throws -> Played

  /// The session as it is now.
  func look() throws -> Look
}

/// The result of an occurrence.
package struct Played: Sendable {
  package var outcome: String
  package var reason: String?
  /// In order.
  package var events: [Event] = []
  /// The operations of the changes, in order.
  package var changes: [String] = []
  /// Why nothing happened; nil: it was not refused.
  package var refusal: Refusal?

  package init(outcome: String, reason: String? = nil, events: [Event] = [], changes: [String] = []) {
    self.outcome = outcome
    self.reason = reason
    self.events = events
    self.changes = changes
  }

  /// A refusal, which changes nothing.
  package init(_ refusal: Refusal) {
    self.init(outcome: "unchanged")
    self.refusal = refusal
  }

  /// Adds the result of the next occurrence.
  package mutating func add(_ next: Played) {
    outcome = next.outcome
    reason = next.reason
    events += next.events
    changes += next.changes
    refusal = next.refusal
  }

  /// An event with the members that scenarios can name.
  package struct Event: Sendable {
    package var type: String
    package var flow: String?
    package var step: String?
    package var reason: String?

    package init(type: String, flow: String?, step: String?, reason: String?) {
      self.type = type
      self.flow = flow
      self.step = step
      self.reason = reason
    }
  }

  /// The code of a refusal, and its words for people.
  package struct Refusal: Error, Sendable {
    package var code: String
    package var detail: String

    package init(code: String, detail: String) {
      self.code = code
      self.detail = detail
    }
  }
}

/// A session with the members that scenarios can name.
package struct Look: Sendable {
  /// In one line, as `Tree.sketch` writes it.
  package var tree: String
  /// The names of the visible routes.
  package var stack: [String]
  /// nil: no screen is visible.
  package var visible: String?
  package var facts: [String: Value]
  package var login: String
  /// The names of the steps that may be posted.
  package var accepts: [String]
  /// The gestures that would be asked.
  package var guarded: [String]
  /// The URLs of the links that are held, in the order of their coming.
  package var pendingLinks: [String]
  /// The names of the modals that wait, the oldest first.
  package var waiting: [String]
  package var loads: Int

  package init(
    tree: String, stack: [String], visible: String?, facts: [String: Value], login: String, accepts: [String], guarded: [String],
    pendingLinks: [String], waiting: [String], loads: Int
  ) {
    self.tree = tree
    self.stack = stack
    self.visible = visible
    self.facts = facts
    self.login = login
    self.accepts = accepts
    self.guarded = guarded
    self.pendingLinks = pendingLinks
    self.waiting = waiting
    self.loads = loads
  }
}
