import CairnAPI
import CairnCore

// Endpoints that create, list, show and end sessions.
extension Endpoint {
  static let sessions: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/sessions", id: "listSessions", topic: .sessions, summary: "Lists sessions, oldest first",
      about: "If the response has `next`, there are more pages, even if this page is short or empty.",
      who: .operator, query: Query.filter + [Query.listed], answers: [.json(200, .sessionPage, "A page of sessions.")],
      problems: [.unauthorized, .operatorOnly, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.sessions.listSessions(call) },
    Endpoint(
      method: .post, path: "/v1/sessions", id: "startSession", topic: .sessions, summary: "Starts a session",
      about:
        "The setting `creation` determines whether anyone or only operators may start sessions. Only an operator may set `requests`, "
        + "`environment`, `scenario`, and facts without `by: client` in the definition.",
      who: .anyone, headers: [.secretKey, .prefer], body: Body(schema: .shared(.creation)),
      answers: [
        .json(
          201, .startedSession, "The session has started.", .eTag, .location, .preferenceApplied, .idempotencyExpires, .idempotencyReplayed,
          .engine, .sealingKey)
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
          name: "returning", summary: "A returning user with a token, who opens a link",
          body: ["app": "qiita", "accessToken": "a-token", "open": "https://qiita.com/items/abc", "label": "a test"]),
        Example(
          name: "notified", summary: "A tapped notification, with a manual clock",
          body: ["app": "qiita", "notification": ["aps": ["alert": "New"], "url": "qiita://items/42"], "clock": "manual"]),
      ]
    ) { service, call throws(Rejection) in try service.creation.createSession(call) },
    Endpoint(
      method: .delete, path: "/v1/sessions", id: "endSessions", topic: .sessions, summary: "Ends the sessions that a filter selects",
      about: "At least one filter is required. If the response has `next`, more sessions match: repeat the request with that path.",
      who: .operator, query: Query.filter + [Query.endedAtOnce], answers: [.json(200, .endedSessions, "The number of ended sessions.")],
      problems: [.unauthorized, .operatorOnly, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.sessions.endSessions(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}", id: "showSession", topic: .sessions, summary: "Returns a session", who: .session,
      query: [Query.revision, Query.wait],
      headers: [.ifNoneMatch, .prefer],
      answers: [
        .json(200, .session, "The session.", .eTag, .preferenceApplied, .engine, .sealingKey),
        Reply(status: 304, about: "The client's revision is still current.", headers: [.eTag, .preferenceApplied, .engine, .sealingKey]),
      ],
      problems: [.unauthorized, .unknownSession, .unknownRevision, .historyGone, .storage]
    ) { service, call throws(Rejection) in try service.sessions.showSession(call) },
    Endpoint(
      method: .delete, path: "/v1/sessions/{id}", id: "endSession", topic: .sessions, summary: "Ends a session and deletes its data",
      who: .session, headers: [.ifMatch],
      answers: [Reply(status: 204, about: "The session has ended.")],
      problems: [.unauthorized, .unknownSession, .revisionMismatch, .contended, .uncertain, .storage]
    ) { service, call throws(Rejection) in try service.sessions.deleteSession(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/stack", id: "showStack", topic: .sessions, summary: "Returns only a session's stack of routes",
      who: .session, query: [Query.wait],
      headers: [.ifNoneMatch, .prefer],
      answers: [
        .json(200, .stack, "The routes from the root to the visible screen, modals included.", .eTag, .preferenceApplied), unchanged,
      ],
      problems: [.unauthorized, .unknownSession, .storage]
    ) { service, call throws(Rejection) in try service.sessions.showStack(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/definition", id: "showDefinition", topic: .sessions,
      summary: "Returns a session's definition for an engine in the client",
      about: "Available only for apps that the setting `predict` lists. docs/engine.md describes the format.", who: .session,
      headers: [.ifNoneMatch],
      answers: [
        Reply(
          status: 200, about: "The definition, without the parts that only the service needs.",
          contents: [("application/json", Schema(["type": "object"]))], headers: [.eTag, .engine, .sealingKey]),
        Reply(status: 304, about: "The client's copy is still current.", headers: [.eTag, .engine, .sealingKey]),
      ],
      problems: [.unauthorized, .unknownSession, .notPredictable, .storage]
    ) { service, call throws(Rejection) in try service.documents.showDefinition(call) },
    Endpoint(
      method: .get, path: "/v1/sessions/{id}/replica", id: "showReplica", topic: .sessions,
      summary: "Returns a session's state for an engine in the client",
      about: "Available only for apps that the setting `predict` lists. Values that only the service may read are omitted.", who: .session,
      query: [Query.client], answers: [.json(200, .replica, "The session's state.", .eTag, .engine, .sealingKey)],
      problems: [.unauthorized, .unknownSession, .notPredictable, .storage]
    ) { service, call throws(Rejection) in try service.sessions.showReplica(call) },
  ]

  /// The response if the client already has the session's revision.
  static let unchanged = Reply(status: 304, about: "The client's revision is still current.", headers: [.eTag, .preferenceApplied])
}
