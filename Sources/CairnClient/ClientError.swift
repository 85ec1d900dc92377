import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why there is no answer that can be used.
public enum ClientError: Error, Sendable {
  /// The service answered, and says why not.
  case refused(ServiceProblem)
  /// Nobody answers there, or the connection broke, also when asked again.
  case unreachable(String)
  /// No answer within the time, also when asked again.
  case timeout
  /// It answers, and not as Cairn does.
  case malformed(String)
  /// The task was cancelled. What was sent may have been carried out.
  case cancelled

  /// For people, in one line.
  public var text: String {
    switch self {
    case .refused(let problem): problem.text
    case .unreachable(let reason): "the service does not answer: \(reason)"
    case .timeout: "the service does not answer in time"
    case .malformed(let reason): "that is no answer of Cairn's: \(reason)"
    case .cancelled: "cancelled"
    }
  }

  /// What was refused, if that is what it is.
  public var problem: ServiceProblem? { if case .refused(let problem) = self { problem } else { nil } }

  /// What URLSession says, in words that quote no address.
  init(transport error: any Error) {
    guard let error = error as? URLError else {
      self = .unreachable("the request failed")
      return
    }
    self =
      switch error.code {
      case .timedOut: .timeout
      case .cancelled: .cancelled
      case .cannotFindHost, .dnsLookupFailed: .unreachable("the host is not known")
      case .cannotConnectToHost: .unreachable("nobody listens there")
      // On Linux the second is also the end of a connection on which nothing was answered.
      case .networkConnectionLost, .badServerResponse: .unreachable("the connection broke")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
        .serverCertificateHasUnknownRoot:
        .unreachable("no secure connection")
      case .badURL, .unsupportedURL: .unreachable("not an address of http or https")
      case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData, .zeroByteResource: .malformed("not HTTP")
      default: .unreachable("the request failed (\(error.code.rawValue))")
      }
  }

  /// Another attempt may do better.
  var mayPass: Bool {
    switch self {
    case .unreachable, .timeout: true
    case .refused(let problem): problem.isBusy
    case .malformed, .cancelled: false
    }
  }
}
