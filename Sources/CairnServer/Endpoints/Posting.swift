import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Performs or plans the commands of a request: actions, links and notifications. Thread-safe.
final class Posting: Sendable {
  let store: Store
  let responses: SessionResponses
  let telemetry: Telemetry
  private let once: OnceReplies

  init(_ store: Store, _ responses: SessionResponses, _ once: OnceReplies, _ telemetry: Telemetry) {
    self.store = store
    self.responses = responses
    self.once = once
    self.telemetry = telemetry
  }

  /// Performs or plans the commands, and responds. `message` is the fingerprint of the notification to which the commands belong; `nil` if
  /// they belong to no notification.
  func submit(
    _ commands: [Command], madeFor made: ClientDefinition? = nil, _ style: PostStyle, to session: Session, as role: Role, _ call: Call,
    message: Fingerprint? = nil
  ) throws(Rejection) {
    let expected = try call.expectedRevisions()
    if style.isPlan { return try plan(commands, madeFor: made, style, to: session, matching: expected, message: message, call) }
    if let key = try once.key(of: call, as: role) {
      return once.post(.commands(commands, madeFor: made, message: message), style, to: session.id, matching: expected, key, call)
    }
    store.post(commands, madeFor: made, to: session.id, matching: expected, message: message, origin: call.origin) { result in
      switch result {
      case .success(let posted):
        self.telemetry.countSuppressions(of: posted)
        call.reached(posted.session.state.revision)
        self.responses.withPredictions(of: posted.session, style, call) { predictions in
          call.answer { PostAnswer(posted, style, predictions: predictions) }
        }
      case .failure(let fault):
        if fault.isSuppression { self.telemetry.suppressed() }
        self.refuse(call, call.rejection(fault, isArray: style.isArray, url: style.url), session: session.id)
      }
    }
  }

  /// Rejects a post. A problem with status 409 also lists the actions that the session accepts now, unless the session cannot be read.
  private func refuse(_ call: Call, _ rejection: Rejection, session: String) {
    guard rejection.problem.status == 409 else { return call.reject(rejection) }
    store.session(session) { result in
      var rejection = rejection
      if case .success(let session) = result { rejection.problem.accepts = session.definition.reducer.accepts(session.state) }
      call.reject(rejection)
    }
  }
}
