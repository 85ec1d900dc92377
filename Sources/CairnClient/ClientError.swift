import CairnTransfer

/// An error that is thrown instead of a usable response.
public enum ClientError: Error, Sendable {
  /// The service refused the request.
  case refused(ServiceProblem)
  /// The service did not respond, or the connection was lost, even after all retries. Also thrown if the address is not an HTTP or HTTPS
  /// URL, and if a predicted session cannot queue an action.
  case unreachable(String)
  /// No response arrived within the timeout, even after all retries.
  case timeout
  /// The response is not a valid response of Cairn. The text describes the fault.
  case malformed(String)
  /// The request was not sent, because HTTP or JSON cannot represent it. The text names the part.
  case unsendable(String)
  /// The task was cancelled. The request may have been performed.
  case cancelled

  /// A message for people, in one line.
  public var text: String {
    switch self {
    case .refused(let problem): problem.text
    case .unreachable(let reason): "the service cannot be reached: \(reason)"
    case .timeout: "the service did not respond in time"
    case .malformed(let reason): "the response is not a valid response of Cairn: \(reason)"
    case .unsendable(let reason): "the request cannot be sent: \(reason)"
    case .cancelled: "cancelled"
    }
  }

  /// The service's problem if it refused the request; otherwise `nil`.
  public var problem: ServiceProblem? { if case .refused(let problem) = self { problem } else { nil } }

  /// Converts the fault of a transfer to an error whose text does not contain the address.
  init(_ fault: TransferFault) {
    self =
      switch fault {
      case .timeout: .timeout
      case .cancelled: .cancelled
      case .address: .unreachable("not an HTTP or HTTPS URL")
      case .unknownHost: .unreachable("the host is unknown")
      case .noConnection: .unreachable("could not connect to the service")
      case .connectTimeout: .unreachable("the connection timed out")
      case .broken: .unreachable("the connection broke")
      case .notSecure: .unreachable("the TLS connection failed")
      case .notHTTP: .malformed("it is not HTTP")
      case .encoding: .malformed("it has an encoding that was not requested")
      case .headTooLarge(let limit), .bodyTooLarge(let limit): .malformed("it has more than \(limit) bytes")
      case .unsendable(let part): .unsendable("its \(part) contains characters that HTTP cannot carry")
      case .failed(let code): .unreachable("the request failed (\(code))")
      }
  }

  /// Whether a retry of the same request may succeed.
  var mayPass: Bool {
    switch self {
    case .unreachable, .timeout: true
    case .refused(let problem): problem.isBusy
    case .malformed, .unsendable, .cancelled: false
    }
  }
}
