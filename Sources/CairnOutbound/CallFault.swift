import CairnCore
import CairnStore
import CairnTransfer

/// Why a call brought nothing that can be used. Its text begins with a stable word; no address, header or body is ever in it.
enum CallFault: Error, Hashable, Sendable {
  /// Not done within the time that a call may take.
  case timeout
  /// The address is not one of http or https.
  case address
  /// It leads nowhere.
  case unreachable(String)
  /// No connection, or it broke: another attempt may do better.
  case disconnected(String)
  /// A secret would go over plain http.
  case insecure
  /// It answered with a status other than 2xx; redirects are not followed.
  case status(Int)
  /// The same with a status that may be another one soon; the milliseconds that it asks to wait.
  case busy(Int, wait: Int?)
  /// The answer is not what was asked for.
  case malformed(String)
  /// A setting that the call needs is missing.
  case notConfigured(String)
  /// The environment variable of a header is not set.
  case notSet(String)

  /// The reason that the effect ends with.
  var reason: String {
    switch self {
    case .timeout: CallLimit.timeout
    case .address: "unreachable: not an address of http or https"
    case .unreachable(let text), .disconnected(let text): "unreachable: \(text)"
    case .insecure: CallFailure.insecure
    case .status(let status), .busy(let status, _): CallFailure.text(of: status)
    case .malformed(let text): "malformed: \(text)"
    case .notConfigured(let text): "oauth-not-configured: \(text)"
    case .notSet(let name): "not-configured: \(name) is not set"
    }
  }

  /// The result that the effect receives.
  var result: OutboundResult {
    switch self {
    case .disconnected: .interrupted(reason, wait: nil)
    case .busy(_, let wait): .interrupted(reason, wait: wait)
    case .timeout, .address, .unreachable, .insecure, .status, .malformed, .notConfigured, .notSet: .failed(reason)
    }
  }

  /// Why the transfer brought no whole answer, in words that quote nothing of it.
  init(_ fault: TransferFault) {
    self =
      switch fault {
      case .timeout: .timeout
      case .address: .address
      case .connectTimeout: .disconnected("no connection in time")
      case .unknownHost: .disconnected("the host is not known")
      case .noConnection: .disconnected("no server listens there")
      case .broken(hasHead: true): .disconnected("the connection broke")
      case .broken(hasHead: false): .disconnected("the connection broke before an HTTP answer")
      case .notSecure: .unreachable("no secure connection")
      case .notHTTP: .malformed("not an HTTP answer")
      case .encoding: .malformed("an encoding that was not asked for")
      case .headTooLarge(let limit): .malformed("a head of more than \(limit) bytes")
      case .bodyTooLarge(let limit): .malformed("more than \(limit) bytes")
      case .unsendable(let part): .malformed("a \(part) that HTTP cannot carry")
      case .cancelled: .unreachable("given up")
      case .failed(let code): .unreachable("the call failed (\(code))")
      }
  }
}
