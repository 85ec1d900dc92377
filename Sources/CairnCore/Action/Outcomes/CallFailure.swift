/// The reason why a request failed, as `$error` reads it: a stable word, and the status if a response arrived.
public struct CallFailure: Hashable, Sendable {
  /// The stable word, such as `timeout`, `unreachable`, `http-status`, `malformed`, `insecure` or `no-token`.
  public let reason: String
  /// The status of a response other than 2xx; `nil` if the request failed for another reason.
  public let status: Int?

  /// Parses the reason with which an effect ended, such as `http-status: 503`.
  public init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    reason = parts.first.map(String.init) ?? text
    status = reason == Self.status && parts.count == 2 ? Int(parts[1].drop { $0 == " " }) : nil
  }

  /// The failure reason of a request that received a status other than 2xx.
  package static func text(of status: Int) -> String { "\(Self.status): \(status)" }

  private static let status = "http-status"
  /// The failure reason of a request that was not sent because a secret would be sent over plain HTTP.
  package static let insecure = "insecure: a secret is not sent over plain HTTP"
  /// The failure reason of a request that was not sent because the text of a secret param is no longer stored, for example after an undo.
  package static let secretGone = "secret-gone: a secret of the request has been deleted"
  /// The failure reason of a load with `bearer` that was not sent because the session has no usable token.
  package static let noToken = "\(tokenMissing): the session has no usable access token"
  private static let tokenMissing = "no-token"

  /// Whether the request failed because of the session's token: the upstream responded with 401, or the session had no usable token.
  package var isOfToken: Bool { status == 401 || reason == Self.tokenMissing }

  /// Whether the upstream has definitely refused the request: with a 4xx status, unless the status leaves the outcome open.
  package var isRefusal: Bool { status.map { (400..<500).contains($0) && ![408, 409, 425, 429].contains($0) } ?? false }

  /// The failure reason of a load that was not sent because the request for a fresh token failed temporarily.
  package static let notRefreshed = "\(unreachable): the access token could not be refreshed"

  /// The failure reason of a response longer than `limit` bytes.
  package static func tooLarge(_ limit: Int = CallLimit.size) -> String { "malformed: the response body is larger than \(limit) bytes" }
  /// The failure reason of a response that is not JSON.
  package static let notJSON = "malformed: not JSON"

  /// The failure reason of a request that could not connect to the upstream.
  package static let unreachable = "unreachable"
  /// The failure reason of a request that was not sent because many requests to its upstream failed in a row.
  package static let resting = "\(unreachable): calls to this host are suspended, because many failed in a row"

  /// Whether a status is transient, so that `retry` repeats the request (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4).
  package static func passes(_ status: Int) -> Bool { [408, 429, 502, 503, 504].contains(status) }
}
