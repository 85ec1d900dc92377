import CairnAPI
import CairnCore

/// A request header that is specific to an endpoint.
enum RequestField: CaseIterable, Sendable {
  case ifMatch, ifNoneMatch, idempotencyKey, prefer, lastEventID
  /// The idempotency key for the creation of a session, which must not be guessable.
  case secretKey
  /// The key that decrypts the secrets of an imported file.
  case fileKey

  var name: String {
    switch self {
    case .ifMatch: "If-Match"
    case .ifNoneMatch: "If-None-Match"
    case .idempotencyKey, .secretKey: "Idempotency-Key"
    case .prefer: "Prefer"
    case .fileKey: "Session-File-Key"
    case .lastEventID: "Last-Event-ID"
    }
  }

  /// The schema of an idempotency key of at least `least` characters: a string of a structured field, or the same text without quotes.
  private static func key(of least: Int) -> Schema {
    .text(like: "^(\"[ !#-\\[\\]-~]{\(least),255}\"|[!#-+\\--:<-\\[\\]-~]{\(least),255})$")
  }

  /// The schema of the header's value.
  var schema: Schema {
    let tag = #"(W/)?"[!#-~]*""#
    let tags = Schema(["anyOf": [Schema.text(like: "^\(tag)(, ?\(tag))*$").value, Schema.words(["*"]).value]])
    return switch self {
    case .ifMatch:
      tags.about("The expected ETag; the response is 412 if the current one differs. For a session, a revision in quotes is enough.")
    case .ifNoneMatch: tags.about("An ETag that the client has. If it is the current one, a GET returns 304 and a PUT returns 412.")
    case .idempotencyKey:
      Self.key(of: 1).about("A key chosen by the client. The service performs a request that is repeated with the same key only once.")
    case .secretKey:
      Self.key(of: 22).about("A random key for this new session. A repeat with the same key returns the same session and its secret.")
    case .prefer:
      Schema.text.about(
        "For a POST, return=minimal omits stack and tree, and include=\"facts accepts pending\" adds these members of the session. For a "
          + "GET with If-None-Match, wait=30 waits up to 30 s for the next change. In the response to a POST, in a session and in its events, predict adds "
          + "predictions of the next actions; replica adds the data for an engine in the client, if the setting predict lists the app."
      )
    case .fileKey:
      Schema.fileKey.about("The key with which the file's secrets are encrypted: 32 bytes in base64. Without it, the secrets are omitted.")
    case .lastEventID: Schema.text.about("The id of the last event that the client received.")
    }
  }
}

/// A response header in the document.
enum AnswerField: String, CaseIterable, Sendable {
  case eTag = "ETag"
  case location = "Location"
  case retryAfter = "Retry-After"
  case allow = "Allow"
  case preferenceApplied = "Preference-Applied"
  case idempotencyExpires = "Idempotency-Expires"
  case idempotencyReplayed = "Idempotency-Replayed"
  case authenticate = "WWW-Authenticate"
  case requestID = "X-Request-Id"
  case engine = "Cairn-Engine"
  case sealingKey = "Cairn-Sealing-Key"

  /// The schema of the header's value.
  var schema: Schema {
    switch self {
    case .eTag:
      Schema.text(like: #"^"[^"]*"$"#).about(
        "An opaque tag of the content. A session's tag is its revision and 32 bits of a hash, such as \"7-5f3a9c21\".")
    case .location: Schema.text.about("The path of the created session.")
    case .retryAfter: Schema.whole(from: 0).about("Seconds to wait before the next attempt.")
    case .allow: Schema.text.about("The methods that the endpoint supports.")
    case .preferenceApplied: Schema.text.about("The preferences from the header Prefer that the service applied.")
    case .idempotencyExpires: Schema.text.about("The HTTP date until which the response is stored under the Idempotency-Key.")
    case .idempotencyReplayed:
      Schema.words(["true"]).about("true if the response is the stored response to an earlier request with the same key.")
    case .authenticate: Schema.text.about("The authentication scheme that the endpoint requires.")
    case .requestID: Schema.text.about("The request's id, as in the log.")
    case .engine:
      Schema.text(like: "^/engine/[0-9a-f]{16}\\.wasm$").about(
        "The path of the engine for clients; missing if the service has none, or if the setting predict does not list the app.")
    case .sealingKey:
      Schema.text(like: "^B[A-Za-z0-9_-]{86}$").about(
        "The public key, in base64url, with which a client without a network seals the values of secret params. A sealed value is posted as "
          + "{\"key\":…,\"sealed\":…} (docs/engine.md). Missing if the app has no secrets, or if the setting predict does not list it.")
    }
  }
}
