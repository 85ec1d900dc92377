package import CairnCore

/// Problems that the service finds itself; the reducer's refusals have codes of their own.
package enum ProblemCode: String, CaseIterable, Sendable {
  case badRequest = "bad-request"
  case notJSON = "not-json"
  case wrongShape = "wrong-shape"
  case unauthorized
  case operatorOnly = "operator-only"
  case notFound = "not-found"
  case unknownSession = "unknown-session"
  case unknownRevision = "unknown-revision"
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
  case idempotencyKeyInvalid = "idempotency-key-invalid"
  case idempotencyKeyReused = "idempotency-key-reused"
  case unknownApp = "unknown-app"
  case `internal` = "internal"
  case unsupportedTransferCoding = "unsupported-transfer-coding"
  case rateLimited = "rate-limited"
  case tooManySessions = "too-many-sessions"
  case tooManyStreams = "too-many-streams"
  case overloaded
  case stopping
  case storage
  case unsupportedVersion = "unsupported-version"

  /// RFC 9110, 15.
  package var status: Int {
    switch self {
    case .badRequest, .notJSON, .wrongShape, .idempotencyKeyInvalid: 400
    case .unauthorized: 401
    case .operatorOnly, .crossOrigin: 403
    case .notFound, .unknownSession, .unknownRevision: 404
    case .methodNotAllowed: 405
    case .revisionMismatch, .definitionMismatch: 412
    case .payloadTooLarge: 413
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .unsupportedMediaType: 415
    case .invalid, .invalidDefinition, .unknownApp, .idempotencyKeyReused: 422
    case .rateLimited, .tooManySessions, .tooManyConnections, .tooManyStreams: 429
    case .internal: 500
    case .unsupportedTransferCoding: 501
    case .overloaded, .stopping, .storage: 503
    case .unsupportedVersion: 505
    }
  }
}

extension Refusal.Code {
  /// 422: not of this app; 403: not for this role or this app's settings; 409: not in this state.
  package var status: Int {
    switch self {
    case .invalid, .unknownLink, .advanceTooFar: 422
    case .valueTooLarge: 413
    case .internalStep, .primitivesClosed: 403
    case .notHandled, .notInContract, .hidden, .dismissed, .alreadyPresenting, .screenNotFound, .flowGone, .noStack, .noTabs, .noSwitch,
      .suppressed, .guarded, .oauthStateMismatch, .oauthCodeMissing, .oauthNotConfigured, .stepLoop, .sessionTooLarge, .journalFull,
      .tooMuchWork,
      .effectGone, .linkGone, .manualClockOnly, .manualRequestsOnly,
      .valueMismatch:
      409
    }
  }
}
