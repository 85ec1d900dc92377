import CairnCore
package import CairnStore
import CairnTransfer

/// Performs the loads and token exchanges of sessions over HTTP and HTTPS. Thread-safe.
package final class HTTPOutbound: Outbound {
  /// The default limit of a response body, in bytes.
  package static let limit = CallLimit.size

  private let caller: HTTPCaller
  private let timeout: Duration
  private let secret: @Sendable (String) -> String?

  /// Creates the sender of calls. `timeout` applies to a whole call, unless a load has its own timeout. `secret` returns the value of an
  /// environment variable at the time of a call, or `nil` if the variable is not set. These variables contain the provider's address, the
  /// client secret, or the value of a load's header.
  package init(
    timeout: Duration = .milliseconds(CallLimit.time), limit: Int = HTTPOutbound.limit,
    secret: @escaping @Sendable (String) -> String?
  ) {
    caller = HTTPCaller(limit: limit)
    self.timeout = timeout
    self.secret = secret
  }

  /// Cancels all calls and rejects new calls. Blocks until the transfers' thread has ended, which takes only a short time even if servers
  /// do not respond.
  package func stop() { caller.stop() }

  package func send(
    _ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void
  ) -> @Sendable () -> Void {
    do throws(CallFault) {
      switch call {
      case .load(let load):
        let request = try TransferRequest(load, secret: secret)
        let time = load.time == CallLimit.time ? timeout : .milliseconds(load.time)
        return caller.send(request, within: time) { reply(Self.read($0, for: load)) }
      case .token(let call):
        let exchange = try TokenExchange(call, secret: secret)
        return caller.send(try exchange.request(), within: timeout) { reply(Self.read($0, for: exchange)) }
      }
    } catch {
      reply(.failed(error.reason))
      return {}
    }
  }

  /// Returns the JSON of a response with status 2xx, otherwise the reason for the failure. The body may be empty if the status is 204 or the method is not GET.
  private static func read(_ result: Result<HTTPCaller.Received, CallFault>, for load: LoadCall) -> OutboundResult {
    do throws(CallFault) {
      let answer = try result.get()
      guard (200..<300).contains(answer.status) else {
        throw CallFailure.passes(answer.status)
          ? .busy(answer.status, wait: answer.retryAfter.flatMap { RetryAfter.milliseconds($0) }) : .status(answer.status)
      }
      if answer.body.isEmpty, load.method != .get || answer.status == 204 { return .json(.null) }
      guard let value = try? ReceivedValue.read(answer.body) else { throw .malformed("not JSON") }
      return .json(value)
    } catch {
      return error.result
    }
  }

  /// Returns the tokens of a response, otherwise the reason for the failure. A token call is not retried, because its code is valid only once.
  private static func read(_ result: Result<HTTPCaller.Received, CallFault>, for exchange: TokenExchange) -> OutboundResult {
    do throws(CallFault) {
      let answer = try result.get()
      return .tokens(try exchange.tokens(status: answer.status, body: answer.body))
    } catch {
      return .failed(error.reason)
    }
  }
}
