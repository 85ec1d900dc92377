import CairnCore
package import CairnStore
import CairnTransfer

/// The calls of sessions over HTTP and HTTPS. Any thread.
package final class HTTPOutbound: Outbound {
  /// Bytes in an answer at most.
  package static let limit = CallLimit.size

  private let caller: HTTPCaller
  private let timeout: Duration
  private let secret: @Sendable (String) -> String?

  /// `timeout`: for a whole call, but a load that says itself how long it may take. `secret` reads an environment variable that names a
  /// provider, or holds its client secret or a load's header, at the time of the call.
  package init(
    timeout: Duration = .milliseconds(CallLimit.time), limit: Int = HTTPOutbound.limit,
    secret: @escaping @Sendable (String) -> String?
  ) {
    caller = HTTPCaller(limit: limit)
    self.timeout = timeout
    self.secret = secret
  }

  /// Gives up all calls, and every further one. Blocks until no thread runs any more, which waits for nothing outside.
  package func stop() { caller.stop() }

  package func send(
    _ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void
  ) -> @Sendable () -> Void {
    do throws(CallFault) {
      switch call {
      case .load(let load):
        let request = try TransferRequest(load, secret: secret)
        let time = load.time == CallLimit.time ? timeout : .milliseconds(load.time)
        return caller.send(request, within: time) { reply(Self.read($0, for: load) { value in .json(value) }) }
      case .exchange(let oauth, let environment, let code, let bearer):
        let exchange = try TokenExchange(oauth, environment: environment, code: code, secret: secret)
        return caller.send(try exchange.request(bearer: bearer), within: timeout) { result in
          reply(Self.read(result) { value throws(CallFault) in .token(try exchange.token(in: value)) })
        }
      }
    } catch {
      reply(.failed(error.reason))
      return {}
    }
  }

  /// 2xx and JSON, or for a load nothing where that may be (204 means it), else why not.
  private static func read(
    _ result: Result<HTTPCaller.Received, CallFault>, for load: LoadCall? = nil, _ use: (Value) throws(CallFault) -> OutboundResult
  ) -> OutboundResult {
    do throws(CallFault) {
      let answer = try result.get()
      guard (200..<300).contains(answer.status) else {
        throw CallFailure.passes(answer.status)
          ? .busy(answer.status, wait: answer.retryAfter.flatMap { RetryAfter.milliseconds($0) }) : .status(answer.status)
      }
      if let load, answer.body.isEmpty, load.method != .get || answer.status == 204 { return try use(.null) }
      guard let value = try? ReceivedValue.read(answer.body) else { throw .malformed("not JSON") }
      return try use(value)
    } catch {
      // A code is good for one token call, so that is not made again.
      return load == nil ? .failed(error.reason) : error.result
    }
  }
}
