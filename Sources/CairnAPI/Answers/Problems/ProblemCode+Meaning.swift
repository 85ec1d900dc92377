extension ProblemCode {
  /// The meaning of the code, and the remedy.
  var meaning: (String, String) {
    switch self {
    case .badRequest: ("not HTTP as it has to be, or a header that cannot be read", "")
    case .notJSON: ("the body is not JSON in UTF-8", "")
    case .wrongShape: ("JSON, but of another shape than the endpoint takes", "")
    case .unauthorized: ("neither the session's secret nor an operator's key", "")
    case .operatorOnly: ("an operator's", "")
    case .notFound: ("nothing is there", "")
    case .unknownSession: ("there is no such session", "")
    case .unknownRevision: ("the session has no such revision", "`revision` says which is the newest")
    case .historyGone: ("the history of that time was forgotten", "`firstRevision` says where it begins; read from there")
    case .methodNotAllowed: ("the endpoint does not take the method", "`Allow` says which it takes")
    case .revisionMismatch: ("`If-Match` names another revision", "read the session, and decide again")
    case .definitionMismatch:
      ("`If-Match` or `If-None-Match` of a `PUT` does not match the served definition", "read the definition, and decide again")
    case .payloadTooLarge: ("the body is too large", "")
    case .targetTooLong: ("the request target is too long", "")
    case .headTooLarge: ("the head of the request is too large", "")
    case .tooManyConnections: ("an address has too many connections open", "`Retry-After` says when")
    case .crossOrigin: ("a browser asks for a page whose origin `corsOrigins` does not name", "")
    case .unsupportedMediaType: ("the body is declared as something else than JSON, or compressed", "`Accept-Post` says what is taken")
    case .invalid: ("a step, screen or param that the app does not have, a member or a parameter that is wrong", "`errors` says where")
    case .idempotencyKeyInvalid: ("the `Idempotency-Key` is no string, or could be guessed", "[docs/idempotency.md](idempotency.md)")
    case .idempotencyKeyReused: ("the `Idempotency-Key` came with another request before", "[docs/idempotency.md](idempotency.md)")
    case .responseForgotten:
      ("a request with this `Idempotency-Key` was processed, and its response was forgotten", "read the session; do not send it again")
    case .invalidDefinition: ("what was put is no definition", "each mistake with its line and column, as `cairn check` tells it")
    case .invalidMigration:
      ("the document is no migration between the two definitions, or leaves something open", "each mistake with its line and column")
    case .noMigration: ("no migration leads from the session's definition to the other one", "[docs/releases.md](releases.md)")
    case .notMigrated: ("a part of the session has no place in the other definition, so it stays on its own", "`detail` says which part")
    case .definitionGone:
      ("the session was to begin with a definition that the app does not have any more", "leave the member definition out")
    case .definitionChanged:
      (
        "the request was made for another definition, and has no equivalent in the session's",
        "read the session and the app, and decide again"
      )
    case .rolloutActive:
      ("the app has a rollout that is under way, or is in another state than the request needs", "look at it, and decide again")
    case .invalidSessionFile:
      ("the file is damaged, of another service's form, or not that of a session", "`detail` says why; nothing of it was kept")
    case .invalidScenario: ("the scenario is none of the app, or does not come true", "`errors` says where; no session was started")
    case .unknownApp: ("no definition of this name is served", "")
    case .notPredictable: ("the setting `predict` does not list the app, so its definition is not given to clients", "predict nothing")
    case .internal: ("a defect of the service", "")
    case .unsupportedTransferCoding: ("a transfer coding other than chunked", "")
    case .rateLimited: ("too many requests", "`Retry-After` says when")
    case .tooManySessions: ("an address has started too many sessions", "`Retry-After` says when")
    case .tooManyStreams: ("the session has as many streams as it may", "`Retry-After` says when")
    case .overloaded: ("there is no room for more now", "a POST with an `Idempotency-Key` may be sent again")
    case .contended: ("other requests changed the session again and again", "a POST with an `Idempotency-Key` may be sent again")
    case .uncertain:
      (
        "the connection to the database was lost; the request may have been carried out",
        "read the session; a POST with an `Idempotency-Key` may be sent again"
      )
    case .stopping: ("the service is going down", "a POST with an `Idempotency-Key` may be sent again")
    case .storage: ("the journal cannot take it now", "a POST with an `Idempotency-Key` may be sent again")
    case .unsupportedVersion: ("neither HTTP/1.1 nor HTTP/1.0", "")
    }
  }
}
