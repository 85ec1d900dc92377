import CairnAPI
import CairnCore
import CairnStore

// Endpoints that copy, export and import a session.
extension Endpoint {
  static let copies: [Endpoint] = [
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/fork", id: "forkSession", topic: .sessions,
      summary: "Starts a session as a copy of another one at a revision",
      about:
        "The copy has its own secret and a manual clock, set to the time of the revision. Its loads and token calls wait for the action "
        + "`answer`. It has no access token and no login.",
      who: .operator, headers: [.secretKey, .prefer], body: Body(schema: .shared(.forkRequest)),
      answers: [
        .json(
          201, .startedSession, "The copy of the session.", .eTag, .location, .preferenceApplied, .idempotencyExpires, .idempotencyReplayed,
          .engine, .sealingKey)
      ],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .unauthorized, .operatorOnly, .unsupportedMediaType, .unknownSession,
        .unknownRevision, .historyGone, .idempotencyKeyReused, .responseForgotten, .contended, .uncertain, .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.copies.forkSession(call) },
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/export", id: "exportSession", topic: .sessions, summary: "Exports a session as a file",
      about:
        "The file contains all entries that are not forgotten, their definitions, and the newest state. If a key is given, it also contains "
        + "the secrets, encrypted with that key.", who: .operator, body: Body(schema: .shared(.exportRequest)),
      answers: [Reply(status: 200, about: "The session file, as docs/copies.md describes it.", contents: [(SessionFile.mediaType, .text)])],
      problems: [.notJSON, .wrongShape, .unauthorized, .operatorOnly, .unsupportedMediaType, .unknownSession, .storage], isRefusable: true
    ) { service, call throws(Rejection) in try service.copies.exportSession(call) },
  ]

  /// The endpoint that imports a session. It must precede `/v1/sessions/{id}`, whose template also matches the path.
  static let importing = Endpoint(
    method: .post, path: "/v1/sessions/import", id: "importSession", topic: .sessions,
    summary: "Imports a session from a file",
    about:
      "The session gets a new id and a new secret, and keeps the revisions and times of the file. The service checks every entry first; "
      + "if it rejects the file, it stores nothing.", who: .operator, query: [Query.newLabel], headers: [.secretKey, .fileKey],
    body: Body(schema: nil, others: [SessionFile.mediaType: .text]),
    answers: [
      .json(201, .startedSession, "The new session.", .eTag, .location, .idempotencyExpires, .idempotencyReplayed, .engine, .sealingKey)
    ],
    problems: [
      .idempotencyKeyInvalid, .unauthorized, .operatorOnly, .unsupportedMediaType, .invalidSessionFile, .idempotencyKeyReused,
      .responseForgotten, .contended, .uncertain, .storage,
    ], isRefusable: true
  ) { service, call throws(Rejection) in try service.copies.importSession(call) }
}
