import CairnAPI
import CairnCore

/// A header that an endpoint reads, beside those of every request.
enum RequestField: String, CaseIterable, Sendable {
  case ifMatch = "If-Match"
  case ifNoneMatch = "If-None-Match"
  case idempotencyKey = "Idempotency-Key"
  case prefer = "Prefer"
  case lastEventID = "Last-Event-ID"

  /// What it may be.
  var schema: Schema {
    let tag = #"(W/)?"[!#-~]*""#
    return switch self {
    case .ifMatch:
      Schema.text(like: "^(\\*|\(tag)( *, *\(tag))*)$").about("The revision that is meant, as ETag gave it; another one is a 412.")
    case .ifNoneMatch: Schema.text(like: "^(\\*|\(tag)( *, *\(tag))*)$").about("The revision that the client has; the same one is a 304.")
    case .idempotencyKey:
      Schema.text(like: #"^("[A-Za-z0-9_-]{22,64}"|[A-Za-z0-9_-]{22,64})$"#).about(
        "Random, one a request: however often it is sent, it runs once.")
    case .prefer: Schema.text.about("return=minimal leaves stack and tree out.")
    case .lastEventID: Schema.text.about("The id of the event that came last.")
    }
  }
}

/// A header of an answer, beside those that every answer carries.
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

  /// What it is.
  var schema: Schema {
    switch self {
    case .eTag: Schema.text(like: #"^"[^"]*"$"#).about("The revision, or what stands for the content.")
    case .location: Schema.text.about("The path of what was made.")
    case .retryAfter: Schema.whole(from: 0).about("Seconds after which to try again.")
    case .allow: Schema.text.about("The methods that are taken.")
    case .preferenceApplied: Schema.text.about("What of Prefer was done.")
    case .idempotencyExpires: Schema.text.about("How long the answer is kept for the key.")
    case .idempotencyReplayed: Schema.words(["true"]).about("It was answered before: this is the same answer.")
    case .authenticate: Schema.text.about("What credentials are asked for.")
    case .requestID: Schema.text.about("The request's id, as in the log.")
    }
  }
}
