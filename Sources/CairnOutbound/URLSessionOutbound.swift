package import CairnCore
import Foundation
import FoundationNetworking

/// The calls of sessions over HTTP and HTTPS. Any thread.
package final class URLSessionOutbound: Outbound {
  /// Bytes in an answer at most.
  package static let limit = 1 << 20

  private let caller: HTTPCaller
  private let secret: @Sendable (String) -> String?

  /// `timeout`: for a whole call. `secret` reads an environment variable that names a provider or
  /// holds its client secret, at the time of the call.
  package init(
    timeout: Duration = .milliseconds(CallLimit.time), limit: Int = URLSessionOutbound.limit,
    secret: @escaping @Sendable (String) -> String?
  ) {
    caller = HTTPCaller(timeout: timeout, limit: limit)
    self.secret = secret
  }

  package func send(
    _ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void
  ) -> @Sendable () -> Void {
    do throws(CallFault) {
      switch call {
      case .get(let url, let bearer):
        let request = try URLRequest(.get, url, bearer: bearer)
        return caller.send(request) { reply(Self.read($0) { value in .json(value) }) }
      case .exchange(let oauth, let environment, let code, let bearer):
        let exchange = try TokenExchange(oauth, environment: environment, code: code, secret: secret)
        return caller.send(try exchange.request(bearer: bearer)) { result in
          reply(Self.read(result) { value throws(CallFault) in .token(try exchange.token(in: value)) })
        }
      }
    } catch {
      reply(.failed(error.reason))
      return {}
    }
  }

  /// 2xx and JSON, else why not.
  private static func read(
    _ result: Result<HTTPCaller.Received, CallFault>, _ use: (Value) throws(CallFault) -> OutboundResult
  ) -> OutboundResult {
    do throws(CallFault) {
      let answer = try result.get()
      guard (200..<300).contains(answer.status) else { throw .status(answer.status) }
      guard let value = try? JSONDecoder().decode(Value.self, from: answer.body) else { throw .malformed("not JSON") }
      return try use(value)
    } catch {
      return .failed(error.reason)
    }
  }
}
