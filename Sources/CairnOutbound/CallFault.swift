import CairnCore
import CairnStore
import CairnTransfer

/// The reason why a call returned no usable response. Its text begins with a stable word, and contains no address, header or body.
enum CallFault: Error, Hashable, Sendable {
  /// No complete response arrived within the call's timeout.
  case timeout
  /// The address is invalid, or its scheme is not http or https.
  case address
  /// The TLS connection failed, or the call failed for a reason that no other case covers. Another attempt would not help.
  case unreachable(String)
  /// No connection could be established, or the connection was lost. Another attempt may succeed.
  case disconnected(String)
  /// The call needs the session's token, which contains characters that cannot be sent.
  case noToken
  /// A secret would be sent over plain HTTP.
  case insecure
  /// The response has a status other than 2xx. Redirects are not followed.
  case status(Int)
  /// The response has a status that may be temporary. `wait` is its `Retry-After` in milliseconds.
  case busy(Int, wait: Int?)
  /// The provider of tokens responded with an error. The text is `ProviderError.reason`.
  case provider(String)
  /// The response cannot be used, or a value cannot be sent in the request. The text is the reason.
  case malformed(String)
  /// An environment variable of the definition's `oauth` that the call needs is not set. The text names it.
  case notConfigured(String)
  /// The environment variable of a header is not set.
  case notSet(String)
  /// The call was cancelled, because its effect has ended or the service is stopping. This does not indicate a fault of the upstream.
  case cancelled

  /// The reason with which the effect fails.
  var reason: String {
    switch self {
    case .timeout: CallLimit.timeout
    case .address: "unreachable: not an HTTP or HTTPS URL"
    case .unreachable(let text), .disconnected(let text): "unreachable: \(text)"
    case .noToken: CallFailure.noToken
    case .insecure: CallFailure.insecure
    case .status(let status), .busy(let status, _): CallFailure.text(of: status)
    case .provider(let text): text
    case .malformed(let text): "malformed: \(text)"
    case .notConfigured(let text): "oauth-not-configured: \(text)"
    case .notSet(let name): "not-configured: the environment variable \(name) is not set"
    case .cancelled: "cancelled: the call was cancelled"
    }
  }

  /// The result of the call. `interrupted` means that another attempt may succeed.
  var result: OutboundResult {
    switch self {
    case .disconnected: .interrupted(reason, wait: nil)
    case .busy(_, let wait): .interrupted(reason, wait: wait)
    case .timeout, .address, .unreachable, .noToken, .insecure, .status, .provider, .malformed, .notConfigured, .notSet, .cancelled:
      .failed(reason)
    }
  }

  /// Converts the fault of a transfer to a fault whose text contains no part of the request or response.
  init(_ fault: TransferFault) {
    self =
      switch fault {
      case .timeout: .timeout
      case .address: .address
      case .connectTimeout: .disconnected("the connection timed out")
      case .unknownHost: .disconnected("the host is unknown")
      case .noConnection: .disconnected("could not connect to the server")
      case .broken(hasHead: true): .disconnected("the connection broke")
      case .broken(hasHead: false): .disconnected("the connection broke before an HTTP response")
      case .notSecure: .unreachable("the TLS connection failed")
      case .notHTTP: .malformed("the response is not HTTP")
      case .encoding: .malformed("the response has an encoding that was not requested")
      case .headTooLarge(let limit): .malformed("the response head is larger than \(limit) bytes")
      case .bodyTooLarge(let limit): .malformed("the response body is larger than \(limit) bytes")
      case .unsendable(let part): .malformed("the \(part) contains characters that HTTP cannot represent")
      case .cancelled: .cancelled
      case .failed(let code): .unreachable("the call failed (\(code))")
      }
  }
}
