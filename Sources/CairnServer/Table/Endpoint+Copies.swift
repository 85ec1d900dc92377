import CairnAPI
import CairnCore

// Endpoints that make a session of another one, or of a file.
extension Endpoint {
  static let copies: [Endpoint] = [
    Endpoint(
      method: .post, path: "/v1/sessions/{id}/fork", id: "forkSession", topic: .sessions,
      summary: "Starts a session as a copy of another one at a revision",
      about:
        "The copy has a secret of its own, a manual clock that stands at the time of the revision, and requests that are answered by hand. It "
        + "has no token and no login.", who: .operator, headers: [.secretKey], body: Body(schema: .shared(.forkRequest)),
      answers: [.json(201, .startedSession, "The copy.", .eTag, .location, .idempotencyExpires, .idempotencyReplayed)],
      problems: [
        .notJSON, .wrongShape, .idempotencyKeyInvalid, .unauthorized, .operatorOnly, .unsupportedMediaType, .unknownSession,
        .unknownRevision, .idempotencyKeyReused, .contended, .uncertain, .storage,
      ], isRefusable: true
    ) { service, call throws(Rejection) in try service.forkSession(call) }
  ]
}
