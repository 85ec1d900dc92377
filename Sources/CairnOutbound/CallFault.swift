import CairnCore
import Foundation
import FoundationNetworking

/// Why a call brought nothing that can be used. Its text begins with a stable word; no address, header or body is ever in it.
enum CallFault: Error, Hashable, Sendable {
  /// Not done within the time that a call may take.
  case timeout
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
  /// What the call needs is not set.
  case notConfigured(String)
  /// The environment variable of a header is not set.
  case notSet(String)

  /// The reason that the effect ends with.
  var reason: String {
    switch self {
    case .timeout: CallLimit.timeout
    case .unreachable(let text), .disconnected(let text): "unreachable: \(text)"
    case .insecure: CallFailure.insecure
    case .status(let status), .busy(let status, _): CallFailure.text(of: status)
    case .malformed(let text): "malformed: \(text)"
    case .notConfigured(let text): "oauth-not-configured: \(text)"
    case .notSet(let name): "not-configured: \(name) is not set"
    }
  }

  /// What the effect is told.
  var result: OutboundResult {
    switch self {
    case .disconnected: .interrupted(reason, wait: nil)
    case .busy(_, let wait): .interrupted(reason, wait: wait)
    case .timeout, .unreachable, .insecure, .status, .malformed, .notConfigured, .notSet: .failed(reason)
    }
  }

  /// What URLSession says, in words that quote nothing.
  init(_ error: any Error) {
    guard let error = error as? URLError else {
      self = .unreachable("the call failed")
      return
    }
    self =
      switch error.code {
      case .timedOut: .timeout
      case .cannotFindHost, .dnsLookupFailed: .disconnected("the host is not known")
      case .cannotConnectToHost: .disconnected("nobody listens there")
      case .networkConnectionLost: .disconnected("the connection broke")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
        .serverCertificateHasUnknownRoot:
        .unreachable("no secure connection")
      // On Linux also the end of a connection on which nothing was answered.
      case .badServerResponse: .disconnected("the connection broke before an HTTP answer")
      case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData, .zeroByteResource:
        .malformed("not an HTTP answer")
      case .badURL, .unsupportedURL: .unreachable("not an address of http or https")
      default: .unreachable("the call failed (\(error.code.rawValue))")
      }
  }
}
