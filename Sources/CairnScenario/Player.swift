package import CairnCore

/// Plays a scenario on a session, either in process or on a service. The session's clock and requests are manual.
package protocol Player {
  /// The current definition of the session, whose names the hints suggest.
  var definition: Definition { get }

  /// Starts a session with the given values, and opens the given link or notification. Throws if the session cannot be started.
  mutating func start(_ given: Scenario.Given) throws -> Played

  /// Performs an occurrence. If the session refuses it, the result contains the refusal. Throws any other failure.
  mutating func play(_ occurrence: Scenario.Occurrence) throws -> Played

  /// Returns the members of the session's current state that scenarios can check. Throws if they cannot be read.
  func look() throws -> Look
}

/// The result of an occurrence.
package struct Played: Sendable {
  package var outcome: String
  package var reason: String?
  /// The events in order.
  package var events: [Event] = []
  /// The operations of the changes, in order.
  package var changes: [String] = []
  /// The refusal; `nil` if the occurrence was accepted.
  package var refusal: Refusal?
  /// The refused actions of a delivered queue, in order; `nil` for other occurrences.
  package var refusals: [RefusedAction]?
  /// The tree that the client shows after the actions of `offline`, as `Tree.sketch` writes it; `nil` for other occurrences.
  package var shown: String?

  package init(outcome: String, reason: String? = nil, events: [Event] = [], changes: [String] = []) {
    self.outcome = outcome
    self.reason = reason
    self.events = events
    self.changes = changes
  }

  /// Creates the result of an occurrence that the session refused.
  package init(_ refusal: Refusal) {
    self.init(outcome: "unchanged")
    self.refusal = refusal
  }

  /// Adds the result of the next part of the occurrence. Its outcome, reason and refusal replace the earlier ones; its events and changes are appended.
  package mutating func add(_ next: Played) {
    outcome = next.outcome
    reason = next.reason
    events += next.events
    changes += next.changes
    refusal = next.refusal
  }

  /// Adds the refusal of an action of a queue. The queue continues with its next action.
  package mutating func add(_ refusal: Refusal, of action: Value) {
    (outcome, reason) = ("unchanged", nil)
    refusals = (refusals ?? []) + [RefusedAction(name: action.actionName, refusal: refusal)]
  }

  /// Adds the events and changes of the timers that ran after the occurrence. The outcome remains that of the occurrence.
  package mutating func addConsequences(_ next: Played) {
    events += next.events
    changes += next.changes
  }

  /// The members of an event that scenarios can check.
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

  /// An action of a queue that was refused.
  package struct RefusedAction: Sendable {
    /// The step, or the type of a gesture or another action.
    package var name: String
    package var refusal: Refusal

    /// The refusal in the form of an expectation: `formSent hidden`.
    var text: String { "\(name) \(refusal.code)" }
  }

  /// The code of a refusal, and its explanation for people.
  package struct Refusal: Error, Sendable {
    package var code: String
    package var detail: String

    package init(code: String, detail: String) {
      self.code = code
      self.detail = detail
    }
  }
}

/// The members of a session that scenarios can check.
package struct Look: Sendable {
  /// The tree in one line, as `Tree.sketch` writes it.
  package var tree: String
  /// The names of the visible routes.
  package var stack: [String]
  /// The visible screen; `nil` if no screen is visible.
  package var visible: String?
  package var facts: [String: Value]
  package var login: String
  /// The names of the steps that may be posted.
  package var accepts: [String]
  /// The gestures that a guard would intercept.
  package var guarded: [String]
  /// The name of the node whose guard has asked the question; `nil` if no question is open.
  package var question: String?
  /// The URLs of the held links, the oldest first.
  package var pendingLinks: [String]
  /// The names of the queued modals and overlays, the oldest first.
  package var waiting: [String]
  package var loads: Int
  /// The keys of the messages that have not ended, the oldest first.
  package var messages: [String]

  package init(
    tree: String, stack: [String], visible: String?, facts: [String: Value], login: String, accepts: [String], guarded: [String],
    question: String?, pendingLinks: [String], waiting: [String], loads: Int, messages: [String]
  ) {
    self.tree = tree
    self.stack = stack
    self.visible = visible
    self.facts = facts
    self.login = login
    self.accepts = accepts
    self.guarded = guarded
    self.question = question
    self.pendingLinks = pendingLinks
    self.waiting = waiting
    self.loads = loads
    self.messages = messages
  }
}
