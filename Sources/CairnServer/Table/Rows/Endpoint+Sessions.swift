import CairnAPI
import CairnCore

// Endpoints that create, list, show and end sessions.
extension Endpoint {
  static let sessions: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/sessions", id: "listSessions", topic: .sessions, summary: "Lists sessions, oldest first",
      about: "As long as an answer has a next, there is more.",
      who: .operator, query: Query.filter + [Query.listed], answers: [.json(200, .sessionPage, "A page of them.")],
      problems: [.unauthorized, .operatorOnly, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.sessions.listSessions(call) },
    Endpoint(
      method: .post, path: "/v1/sessions", id: "startSession", topic: .sessions, summary: "Starts a session",
      about:
        "Open to anyone, or only to operators, by setting. Facts that are not by: client, requests and environment are an operator's.",
      who: .anyone, headers: [.secretKey, .prefer], body: Body(schema: .shared(.creation)),
      answers: [
        .json(
          201, .startedSession, "It is started.", .eTag, .location, .preferenceApplied, .idempotencyExpires, .idempotencyReplayed, .engine)
      ],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .unauthorized, .operatorOnly, .unsupportedMediaType, .unknownApp, .invalidScenario,
        .idempotencyKeyReused, .responseForgotten, .definitionGone,
        .tooManySessions, .contended, .uncertain, .storage, .unknownSession,
      ],
      isRefusable: true,
      examples: [
        Example(name: "plain", summary: "A new user", body: ["app": "qiita"]),
        Example(
          name: "returning", summary: "A returning user with a token, by a link",
          body: ["app": "qiita", "accessToken": "a-token", "open": "https://qiita.com/items/abc", "label": "a test"]),
        Example(
          name: "notified", summary: "A notification was tapped, on a clock that is moved by hand",
          body: ["app": "qiita", "notification": ["aps": ["alert": "New"], "url": "qiita://items/42"], "clock": "manual"]),
      ]
    ) { service, call throws(Rejection) in try service.creation.createSession(call) },
    Endpoint(
      method: .delete, path: "/v1/sessions", id: "endSessions", topic: .sessions, summary: "Ends the sessions that a filter finds",
      about: "The filter may not be empty: all sessions are not ended at once. As long as an answer has a next, go on with it.",
      who: .operator, query: Query.filter + [Query.endedAtOnce], answers: [.json(200, .endedSessions, "So many were ended.")],
      problems: [.unauthorized, .operatorOnly, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.sessions.endSessions(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}", id: "showSession", topic: .sessions, summary: "Shows a session", who: .session,
      query: [Query.revision, Query.wait],
      headers: [.ifNoneMatch, .prefer],
      answers: [
        .json(200, .session, "The session.", .eTag, .preferenceApplied, .engine),
        Reply(status: 304, about: "The client has this revision.", headers: [.eTag, .preferenceApplied, .engine]),
      ],
      problems: [.unauthorized, .unknownSession, .unknownRevision, .historyGone, .storage]
    ) { service, call throws(Rejection) in try service.sessions.showSession(call) },
    Endpoint(
      method: .delete, path: "/v1/sessions/{id}", id: "endSession", topic: .sessions, summary: "Ends a session: nothing of it is left",
      who: .session, headers: [.ifMatch],
      answers: [Reply(status: 204, about: "It is ended.")],
      problems: [.unauthorized, .unknownSession, .revisionMismatch, .contended, .uncertain, .storage]
    ) { service, call throws(Rejection) in try service.sessions.deleteSession(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/stack", id: "showStack", topic: .sessions, summary: "Shows only the visible routes",
      who: .session, query: [Query.wait],
      headers: [.ifNoneMatch, .prefer],
      answers: [.json(200, .stack, "From the root to what is visible, modals included.", .eTag, .preferenceApplied), unchanged],
      problems: [.unauthorized, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.sessions.showStack(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/definition", id: "showDefinition", topic: .sessions,
      summary: "Shows the session's definition to an engine in its client",
      about: "Only of apps that the setting predict lists. The form is in docs/engine.md.", who: .session, headers: [.ifNoneMatch],
      answers: [
        Reply(
          status: 200, about: "The definition without what only the service needs.",
          contents: [("application/json", Schema(["type": "object"]))], headers: [.eTag, .engine]),
        Reply(status: 304, about: "The client has this one.", headers: [.eTag, .engine]),
      ],
      problems: [.unauthorized, .unknownSession, .notPredictable, .storage]
    ) { service, call throws(Rejection) in try service.documents.showDefinition(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/replica", id: "showReplica", topic: .sessions,
      summary: "Shows the session's state to an engine in its client",
      about: "Only of apps that the setting predict lists. Values that only the service may know are left out.", who: .session,
      query: [Query.client], answers: [.json(200, .replica, "The state.", .eTag, .engine)],
      problems: [.unauthorized, .unknownSession, .notPredictable, .storage]
    ) { service, call throws(Rejection) in try service.sessions.showReplica(call) },
  ]

  /// The response if the client already has the session's revision.
  static let unchanged = Reply(status: 304, about: "The client has this revision.", headers: [.eTag, .preferenceApplied])
}
