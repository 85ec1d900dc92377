/// Why a call failed, as `$error` reads it: a stable word, and the status where an answer came.
public struct CallFailure: Hashable, Sendable {
  /// `timeout`, `unreachable`, `http-status`, `malformed`, `insecure`, …
  public let reason: String
  /// Of the answer; nil: none came, or it could not be read.
  public let status: Int?

  /// `text`: what the effect ended with, like `http-status: 503`.
  public init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    reason = parts.first.map(String.init) ?? text
    status = reason == Self.status && parts.count == 2 ? Int(parts[1].drop { $0 == " " }) : nil
  }

  /// The reason of an effect that was answered with a status other than 2xx.
  package static func text(of status: Int) -> String { "\(Self.status): \(status)" }

  private static let status = "http-status"
  /// A secret would go over plain http.
  package static let insecure = "insecure: a secret does not go over plain http"
  /// An answer of more bytes than a call takes.
  package static func tooLarge(_ limit: Int = CallLimit.size) -> String { "malformed: more than \(limit) bytes" }
  /// An answer that is no JSON.
  package static let notJSON = "malformed: not JSON"

  /// No connection to the upstream.
  package static let unreachable = "unreachable"
  /// The reason of a call that was not sent, since its upstream failed many times in a row.
  package static let resting = "\(unreachable): calls to this host rest, since many failed in a row"

  /// A status that may be another one soon: what `retry` tries again (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4).
  package static func passes(_ status: Int) -> Bool { [408, 429, 502, 503, 504].contains(status) }
}
