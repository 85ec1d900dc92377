package import CairnCore

/// The codes of the problems that the service detects. Refusals by the reducer have codes of type `Refusal.Code`.
package enum ProblemCode: String, CaseIterable, Sendable {
  case badRequest = "bad-request"
  case notJSON = "not-json"
  case wrongShape = "wrong-shape"
  case unauthorized
  case operatorOnly = "operator-only"
  case notFound = "not-found"
  case unknownSession = "unknown-session"
  case unknownRevision = "unknown-revision"
  case historyGone = "history-gone"
  case methodNotAllowed = "method-not-allowed"
  case revisionMismatch = "revision-mismatch"
  case payloadTooLarge = "payload-too-large"
  case targetTooLong = "target-too-long"
  case headTooLarge = "head-too-large"
  case tooManyConnections = "too-many-connections"
  case crossOrigin = "cross-origin"
  case unsupportedMediaType = "unsupported-media-type"
  case invalid
  case invalidDefinition = "invalid-definition"
  case definitionMismatch = "definition-mismatch"
  case invalidMigration = "invalid-migration"
  case noMigration = "no-migration"
  case notMigrated = "not-migrated"
  case definitionChanged = "definition-changed"
  case definitionGone = "definition-gone"
  case rolloutActive = "rollout-active"
  case invalidSessionFile = "invalid-session-file"
  case invalidScenario = "invalid-scenario"
  case idempotencyKeyInvalid = "idempotency-key-invalid"
  case idempotencyKeyReused = "idempotency-key-reused"
  case responseForgotten = "response-forgotten"
  case unknownApp = "unknown-app"
  case notPredictable = "not-predictable"
  case documentTooLarge = "document-too-large"
  case `internal` = "internal"
  case unsupportedTransferCoding = "unsupported-transfer-coding"
  case rateLimited = "rate-limited"
  case tooManySessions = "too-many-sessions"
  case tooManyStreams = "too-many-streams"
  case overloaded
  case contended
  case uncertain
  case stopping
  case storage
  case unsupportedVersion = "unsupported-version"

  /// The HTTP status (RFC 9110, 15; RFC 6585 for 429 and 431).
  package var status: Int {
    switch self {
    case .badRequest, .notJSON, .wrongShape, .idempotencyKeyInvalid: 400
    case .unauthorized: 401
    case .operatorOnly, .crossOrigin: 403
    case .notFound, .unknownSession, .unknownRevision, .notPredictable: 404
    case .methodNotAllowed: 405
    case .noMigration, .notMigrated, .definitionChanged, .definitionGone, .rolloutActive, .responseForgotten: 409
    case .historyGone: 410
    case .revisionMismatch, .definitionMismatch: 412
    case .payloadTooLarge: 413
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .unsupportedMediaType: 415
    case .invalid, .invalidDefinition, .invalidMigration, .invalidSessionFile, .invalidScenario, .unknownApp, .idempotencyKeyReused,
      .documentTooLarge:
      422
    case .rateLimited, .tooManySessions, .tooManyConnections, .tooManyStreams: 429
    case .internal: 500
    case .unsupportedTransferCoding: 501
    case .overloaded, .contended, .uncertain, .stopping, .storage: 503
    case .unsupportedVersion: 505
    }
  }
}

extension Refusal.Code {
  /// The HTTP status: 422 for an invalid action, 413 for a value that is too large, and 403 for a step that clients may not post. It is 409
  /// if the session's state or the app's settings do not allow the action.
  package var status: Int {
    switch self {
    case .invalid, .unknownLink, .advanceTooFar, .sealedKeyGone: 422
    case .valueTooLarge: 413
    case .internalStep: 403
    case .notHandled, .notInContract, .hidden, .dismissed, .alreadyPresenting, .screenNotFound, .flowGone, .noStack, .noTabs, .noSwitch,
      .suppressed, .guarded, .oauthStateMismatch, .oauthCodeMissing, .oauthNotConfigured, .stepLoop, .sessionTooLarge,
      .tooMuchWork,
      .effectGone, .linkGone, .questionGone, .actionGone, .tooManyHeld, .keyReused, .tooManyMessages, .messageGone, .tokenMissing,
      .manualClockOnly,
      .manualRequestsOnly, .valueMismatch:
      409
    }
  }
}
