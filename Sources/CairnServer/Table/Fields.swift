import CairnAPI
import CairnCore

/// A request header that is specific to an endpoint.
enum RequestField: CaseIterable, Sendable {
  case ifMatch, ifNoneMatch, idempotencyKey, prefer, lastEventID
  /// The idempotency key for the creation of a session, which must not be guessable.
  case secretKey
  /// The key of an imported file.
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
      tags.about("The expected ETag; 412 if the current one differs. For a session also a bare revision in quotes.")
    case .ifNoneMatch: tags.about("The client's ETag; 304 if it is still current.")
    case .idempotencyKey: Self.key(of: 1).about("One a request: however often it is sent, it runs once.")
    case .secretKey: Self.key(of: 22).about("Random, one per session: its holder gets the session.")
    case .prefer:
      Schema.text.about(
        "Of a POST: return=minimal leaves stack and tree out, and include=\"facts accepts pending\" adds these members of the session. Of a GET: "
          + "wait=30 waits so many seconds for the next change. Of a POST, a session and its events: predict adds what the next actions would do, "
          + "and replica what an engine in the client needs, for apps that the setting predict lists."
      )
    case .fileKey:
      Schema.fileKey.about("The key that the file's secrets are encrypted for. Without it they are left out.")
    case .lastEventID: Schema.text.about("The id of the event that came last.")
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

  /// The schema of the header's value.
  var schema: Schema {
    switch self {
    case .eTag:
      Schema.text(like: #"^"[^"]*"$"#).about(
        "A session's: its revision and 32 bits of a hash, such as \"7-5f3a9c21\". Else what stands for the content. Opaque.")
    case .location: Schema.text.about("The path of what was made.")
    case .retryAfter: Schema.whole(from: 0).about("Seconds after which to try again.")
    case .allow: Schema.text.about("The methods that are taken.")
    case .preferenceApplied: Schema.text.about("What of Prefer was done.")
    case .idempotencyExpires: Schema.text.about("How long the answer is kept for the key.")
    case .idempotencyReplayed: Schema.words(["true"]).about("It was answered before: this is the same answer.")
    case .authenticate: Schema.text.about("What credentials are asked for.")
    case .requestID: Schema.text.about("The request's id, as in the log.")
    case .engine: Schema.text(like: "^/engine/[0-9a-f]{16}\\.wasm$").about("The path of the engine; missing if none is served.")
    }
  }
}
