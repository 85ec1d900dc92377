import FoundationNetworking
import Foundation

/// Why a call brought nothing that can be used. Its text begins with a stable word; no address, header or body is ever in it.
enum CallFault: Error, Hashable, Sendable {
  /// Not done within the time that a call may take.
  case timeout
  /// No connection, or it broke.
  case unreachable(String)
  /// A secret would go over plain http.
  case insecure
  /// It answered with a status other than 2xx; redirects are not followed.
  case status(Int)
  /// The answer is not what was asked for.
  case malformed(String)
  /// What the call needs is not set.
  case notConfigured(String)

  /// The reason that the effect ends with.
  var reason: String {
    switch self {
    case .timeout: "timeout"
    case .unreachable(let text): "unreachable: \(text)"
    case .insecure: "insecure: a secret does not go over plain http"
    case .status(let status): "http-status: \(status)"
    case .malformed(let text): "malformed: \(text)"
    case .notConfigured(let text): "oauth-not-configured: \(text)"
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
      case .cannotFindHost, .dnsLookupFailed: .unreachable("the host is not known")
      case .cannotConnectToHost: .unreachable("nobody listens there")
      case .networkConnectionLost: .unreachable("the connection broke")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
        .serverCertificateHasUnknownRoot:
        .unreachable("no secure connection")
      case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData, .zeroByteResource:
        .malformed("not an HTTP answer")
      case .badURL, .unsupportedURL: .unreachable("not an address of http or https")
      default: .unreachable("the call failed (\(error.code.rawValue))")
      }
  }
}
