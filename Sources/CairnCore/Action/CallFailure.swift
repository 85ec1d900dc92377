/// The reason why a call failed, as `$error` provides it: a stable word, and the status of the response if there was one.
public struct CallFailure: Hashable, Sendable {
  /// `timeout`, `unreachable`, `http-status`, `malformed`, `insecure`, …
  public let reason: String
  /// The status of the response; `nil` if there was no response, or if it was unreadable.
  public let status: Int?

  /// `text` is the reason with which the effect ended, such as `http-status: 503`.
  public init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    reason = parts.first.map(String.init) ?? text
    status = reason == Self.status && parts.count == 2 ? Int(parts[1].drop { $0 == " " }) : nil
  }

  /// The reason of an effect that was answered with a status other than 2xx.
  package static func text(of status: Int) -> String { "\(Self.status): \(status)" }

  private static let status = "http-status"
  /// A secret would be sent over plain HTTP.
  package static let insecure = "insecure: a secret does not go over plain http"
  /// The response exceeds the limit of a call in bytes.
  package static func tooLarge(_ limit: Int = CallLimit.size) -> String { "malformed: more than \(limit) bytes" }
  /// The response is not JSON.
  package static let notJSON = "malformed: not JSON"

  /// No connection to the upstream.
  package static let unreachable = "unreachable"
  /// The call was not sent, because its upstream has failed many times in a row.
  package static let resting = "\(unreachable): calls to this host rest, since many failed in a row"

  /// Whether a status is temporary, so that `retry` repeats the call (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4).
  package static func passes(_ status: Int) -> Bool { [408, 429, 502, 503, 504].contains(status) }
}
