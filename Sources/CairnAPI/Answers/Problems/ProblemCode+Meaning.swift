extension ProblemCode {
  /// The meaning of the code, and the remedy.
  var meaning: (String, String) {
    switch self {
    case .badRequest: ("the request is malformed HTTP, a header cannot be parsed, or the body of a `PUT` is not UTF-8", "")
    case .notJSON: ("the body is not JSON in UTF-8, or its values are nested too deeply", "")
    case .wrongShape: ("the body is JSON, but does not have the form that the endpoint expects", "")
    case .unauthorized: ("the credential is missing or invalid", "send the session's secret, an operator's key or, for a stream, a ticket")
    case .operatorOnly: ("the request requires an operator's key", "send an operator's key as the credential")
    case .notFound: ("the requested resource does not exist", "")
    case .unknownSession: ("the session does not exist", "")
    case .unknownRevision:
      ("the session does not have the requested revision", "request an existing revision; `revision` is the session's newest one")
    case .historyGone: ("the requested part of the history was forgotten", "request `firstRevision` or a later revision")
    case .methodNotAllowed: ("the resource does not support the method", "use one of the methods in `Allow`")
    case .revisionMismatch:
      ("`If-Match` does not match the current revision", "read the session again, and repeat the request if it still makes sense")
    case .definitionMismatch:
      (
        "the condition in `If-Match` or `If-None-Match` of a `PUT` is false for the served definition",
        "read the definition again, and repeat the request if it still makes sense"
      )
    case .payloadTooLarge: ("the body has more bytes or values than the endpoint allows", "send a smaller body; `detail` states the limit")
    case .targetTooLong: ("the request target is too long", "shorten the URL; `detail` states the limit")
    case .headTooLarge: ("the head of the request is too large", "send fewer or shorter headers; `detail` states the limit")
    case .tooManyConnections:
      (
        "one address has too many open connections or, behind a trusted proxy, requests in progress",
        "try again after `Retry-After` seconds"
      )
    case .crossOrigin: ("a browser sent the request for a page whose origin is not in `corsOrigins`", "")
    case .unsupportedMediaType:
      (
        "the endpoint does not support the body's media type, or the body is compressed",
        "use a type from `Accept-Post` or, in the response to a `PUT`, from `Accept`"
      )
    case .invalid:
      (
        "the app does not declare the step, screen or param, or a member or query parameter of the request is invalid",
        "`errors` lists the faults"
      )
    case .idempotencyKeyInvalid:
      (
        "the `Idempotency-Key` is malformed, or so short that it could be guessed",
        "use a random UUID: [docs/idempotency.md](idempotency.md)"
      )
    case .idempotencyKeyReused:
      (
        "the `Idempotency-Key` was used for a different request, or the number of a numbered action for a different action",
        "use a new key or number: [docs/idempotency.md](idempotency.md)"
      )
    case .responseForgotten:
      (
        "a request with this `Idempotency-Key` was processed, but its response is no longer stored",
        "read the session; do not send the request again"
      )
    case .invalidDefinition: ("the definition has errors", "`errors` lists them with line and column, as `cairn check` does")
    case .invalidMigration:
      (
        "the migration has errors, or does not cover all differences between the two definitions",
        "`errors` lists them with line and column"
      )
    case .noMigration:
      (
        "no stored migration moves sessions from the session's definition to the requested one",
        "an operator can store one: [docs/releases.md](releases.md)"
      )
    case .notMigrated:
      ("the other definition has no equivalent of a part of the session, so the session keeps its definition", "`detail` names the part")
    case .definitionGone:
      (
        "the service no longer stores the requested definition of the app",
        "omit the member `definition`, so that the session starts on the served definition"
      )
    case .definitionChanged:
      (
        "the request names another definition than the session's, and cannot be translated to the session's definition",
        "`definition` is the session's definition; read the session, and send a request that fits this definition"
      )
    case .rolloutActive:
      (
        "the app already has an active rollout, the rollout's state does not allow the request, or another request has just changed the rollout",
        "read the rollout, and send a request that its state allows"
      )
    case .invalidSessionFile:
      ("the file is damaged, has an unsupported format, or is not a session file", "`detail` states the reason; nothing was stored")
    case .invalidScenario:
      ("the scenario is invalid for the app, or one of its expectations fails", "`errors` lists the faults; no session was started")
    case .unknownApp: ("no app with this name is served", "")
    case .notPredictable:
      ("the setting `predict` does not list the app, so its definition is not sent to clients", "use the client without an engine")
    case .documentTooLarge:
      (
        "the OpenAPI document or graph would be too large, because the definition has too many steps, screens or transitions",
        "divide the app into several apps"
      )
    case .internal: ("an internal error occurred in the service", "")
    case .unsupportedTransferCoding: ("the transfer coding is not `chunked`", "")
    case .rateLimited: ("a rate limit is exceeded, or too many tickets are unused", "try again after `Retry-After` seconds")
    case .tooManySessions:
      (
        "the maximum number of sessions from this address (`sessionsPerAddress`) exists already",
        "end some, or try again after `Retry-After` seconds"
      )
    case .tooManyStreams:
      (
        "the maximum number of streams of this session (`streamsPerSession`) is open already",
        "close one, or try again after `Retry-After` seconds"
      )
    case .overloaded: ("the service is overloaded: too many requests are waiting", "try again after `Retry-After` seconds")
    case .contended:
      (
        "other requests kept changing the session or the app while this request tried to commit; this request changed nothing",
        "try again after `Retry-After` seconds"
      )
    case .uncertain:
      (
        "the connection to the database was lost during the commit; the request may or may not have been performed",
        "read the session to see whether the request was performed; a POST with an `Idempotency-Key` can be repeated safely"
      )
    case .stopping: ("the service is shutting down", "try again after `Retry-After` seconds")
    case .storage: ("the database cannot be read or written at present", "try again after `Retry-After` seconds")
    case .unsupportedVersion: ("the HTTP version is neither 1.1 nor 1.0", "")
    }
  }
}
