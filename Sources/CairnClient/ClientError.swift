import CairnTransfer

/// An error that is thrown instead of a usable response.
public enum ClientError: Error, Sendable {
  /// The service refused the request.
  case refused(ServiceProblem)
  /// The service did not respond or the connection broke, even after all retries.
  case unreachable(String)
  /// No response arrived within the timeout, even after all retries.
  case timeout
  /// The response is not one of Cairn's, or the request cannot be sent.
  case malformed(String)
  /// The task was cancelled. The request may have been performed.
  case cancelled

  /// A message for people, in one line.
  public var text: String {
    switch self {
    case .refused(let problem): problem.text
    case .unreachable(let reason): "the service does not answer: \(reason)"
    case .timeout: "the service does not answer in time"
    case .malformed(let reason): "that is no answer of Cairn's: \(reason)"
    case .cancelled: "cancelled"
    }
  }

  /// The service's problem, if it refused the request.
  public var problem: ServiceProblem? { if case .refused(let problem) = self { problem } else { nil } }

  /// Converts the fault of a transfer to an error whose text does not contain the address.
  init(_ fault: TransferFault) {
    self =
      switch fault {
      case .timeout: .timeout
      case .cancelled: .cancelled
      case .address: .unreachable("not an address of http or https")
      case .unknownHost: .unreachable("the host is not known")
      case .noConnection: .unreachable("no service listens there")
      case .connectTimeout: .unreachable("no connection in time")
      case .broken: .unreachable("the connection broke")
      case .notSecure: .unreachable("no secure connection")
      case .notHTTP: .malformed("not HTTP")
      case .encoding: .malformed("an encoding that was not asked for")
      case .headTooLarge(let limit), .bodyTooLarge(let limit): .malformed("more than \(limit) bytes")
      case .unsendable(let part): .malformed("a \(part) that HTTP cannot carry")
      case .failed(let code): .unreachable("the request failed (\(code))")
      }
  }

  /// Whether another attempt may succeed.
  var mayPass: Bool {
    switch self {
    case .unreachable, .timeout: true
    case .refused(let problem): problem.isBusy
    case .malformed, .cancelled: false
    }
  }
}
