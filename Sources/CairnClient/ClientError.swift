import CairnTransfer

/// Why there is no answer that can be used.
public enum ClientError: Error, Sendable {
  /// The service answered, and says why not.
  case refused(ServiceProblem)
  /// The service did not respond, or the connection broke, also after all retries.
  case unreachable(String)
  /// No answer within the time, also when asked again.
  case timeout
  /// It answers, and not as Cairn does.
  case malformed(String)
  /// The task was cancelled. The request may have been performed.
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

  /// The service's problem, if it refused the request.
  public var problem: ServiceProblem? { if case .refused(let problem) = self { problem } else { nil } }

  /// Why the transfer did not complete, in words that quote no address.
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

  /// Another attempt may do better.
  var mayPass: Bool {
    switch self {
    case .unreachable, .timeout: true
    case .refused(let problem): problem.isBusy
    case .malformed, .cancelled: false
    }
  }
}
