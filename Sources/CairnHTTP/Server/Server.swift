import CairnRuntime
import Synchronization

/// An HTTP/1.1 server on one port. It listens as soon as it is created, and ends with `stopAccepting()` and then `stop()`.
///
/// Requests that reach `handler` are framed unambiguously and decoded. Every other request, including those that libmicrohttpd cannot
/// parse, gets exactly one response, made by `fault`, after which its connection closes.
package final class Server: Sendable {
  /// Counts of connections, streams and requests, for metrics.
  package struct Counts: Sendable, Equatable {
    /// Number of open connections, including streams.
    package let connections: Int
    /// Number of open streams.
    package let streams: Int
    /// Requests that wait for their responder.
    package let suspended: Int
    /// Connections cut off so far because the client was too slow.
    package let cut: Int
    /// Connections refused so far because a limit of connections was reached.
    package let refused: Int
  }

  private enum State {
    case running([Lane])
    case draining([Lane])
    case stopped
  }

  /// A loop and its thread.
  private struct Lane {
    let loop: EventLoop
    let thread: NamedThread
  }

  /// The bound port; if port 0 was requested, the port that the system has chosen.
  package let port: Int
  private let context: ServerContext
  private let acceptor: ConnectionAcceptor
  private let figures: [Figures]
  private let state: Lock<State>

  /// Listens on an address literal or `localhost`. `fault` and `handler` run on the `threads` connection threads and must not block. `log`
  /// is called with one line at a time. `refused` is called with the address of each connection over `Limits.connectionsPerAddress`. Both
  /// may be called on any thread.
  package init(
    host: String, port: Int, limits: Limits = Limits(), threads: Int = 1,
    fault: @escaping @Sendable (Fault, Request?) -> Response = { fault, _ in Response(status: fault.status) },
    log: @escaping @Sendable (String) -> Void = { _ in }, refused: @escaping @Sendable (String) -> Void = { _ in },
    handler: @escaping Handler
  ) throws(ServerError) {
    guard Daemon.isObserved else { throw .libraryNotObserved }
    context = ServerContext(limits: limits, fault: fault, log: log, handler: handler)
    let socket = try ListeningSocket(host: host, port: port)
    self.port = socket.port
    acceptor = ConnectionAcceptor(socket, limits: limits, refused: refused, log: log)
    do throws(ServerError) {
      let lanes = try Self.start(max(1, threads), context, acceptor)
      figures = lanes.map(\.loop.figures)
      state = Lock(.running(lanes))
    } catch {
      acceptor.close()
      throw error
    }
  }

  deinit { stop() }

  private static func start(_ count: Int, _ context: ServerContext, _ acceptor: ConnectionAcceptor) throws(ServerError) -> [Lane] {
    var loops: [EventLoop] = []
    for _ in 1...count { loops.append(try EventLoop(context, acceptor)) }
    var lanes: [Lane] = []
    do {
      // The thread that accepts connections starts last, because the other loops must be able to take connections.
      for (index, loop) in loops.enumerated().reversed() {
        let thread = try NamedThread("http-\(index + 1)") { [loops] in
          loop.run(assigner: index == 0 ? ConnectionAssigner(acceptor, loops) : nil)
        }
        lanes.append(Lane(loop: loop, thread: thread))
      }
    } catch {
      end(lanes, context)
      throw .libraryRefused
    }
    return lanes
  }

  private static func end(_ lanes: [Lane], _ context: ServerContext) {
    context.phase = .stopping
    for lane in lanes { lane.loop.wake() }
    for lane in lanes { lane.thread.join() }
  }

  /// The version of libmicrohttpd in use, such as `0.9.75`. Version 0.9.75 accepts framing that later versions reject (see the threat
  /// model).
  package static var libraryVersion: String { Daemon.version }

  /// The current counts. May be called on any thread.
  package var counts: Counts {
    figures.reduce(into: Counts(connections: 0, streams: 0, suspended: 0, cut: 0, refused: acceptor.refusals)) { $0.add($1) }
  }

  /// Throws the errors that `init` would throw for this address and port, without listening.
  package static func check(host: String, port: Int) throws(ServerError) { try ListeningSocket.check(host: host, port: port) }

  /// Stops accepting connections. Open connections get `Connection: close` with their next response. May be called on any thread except a
  /// handler's.
  package func stopAccepting() {
    state.withLock { state in
      guard case .running(let lanes) = state else { return }
      context.phase = .draining
      acceptor.shut()
      for lane in lanes { lane.loop.wake() }
      state = .draining(lanes)
    }
  }

  /// Ends the server. Waiting requests are answered with `Fault.stopping`, and incomplete requests are cut off. Responses in progress and
  /// the waiting bytes of streams are sent for up to `Limits.grace`, as long as they make progress. Then every connection is closed, and
  /// the threads are joined before this function returns. May be called on any thread except a handler's.
  package func stop() {
    stopAccepting()
    state.withLock { state in
      guard case .draining(let lanes) = state else { return }
      Self.end(lanes, context)
      acceptor.close()
      state = .stopped
    }
  }
}

extension Server.Counts {
  fileprivate mutating func add(_ figures: Figures) {
    self = Self(
      connections: connections + figures.connections.load(ordering: .relaxed),
      streams: streams + figures.streams.load(ordering: .relaxed),
      suspended: suspended + figures.resting.load(ordering: .relaxed), cut: cut + figures.cut.load(ordering: .relaxed),
      refused: refused)
  }
}
