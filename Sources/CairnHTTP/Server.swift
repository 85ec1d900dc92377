import CairnRuntime
import Synchronization

/// HTTP/1.1 on one port. Listens from `init` on; `stopAccepting()` and then `stop()` end it, in that order.
///
/// An HTTP server. Requests that reach `handler` are framed unambiguously and decoded. Every other one, also one that libmicrohttpd cannot
/// parse, gets the response that `fault` makes, once, and its connection closes.
package final class Server: Sendable {
  /// Counts of this moment, for metrics.
  package struct Counts: Sendable, Equatable {
    /// Connections open now.
    package let connections: Int
    /// The streams among them.
    package let streams: Int
    /// Requests waiting for their responder now.
    package let suspended: Int
    /// Connections cut off so far since their client was too slow.
    package let cut: Int
    /// Connections not let in so far, since there were too many.
    package let refused: Int
  }

  private enum State {
    case running([Lane])
    case draining([Lane])
    case stopped
  }

  /// A loop and the thread it runs on.
  private struct Lane {
    let loop: EventLoop
    let thread: NamedThread
  }

  /// The port that is listened on, also when 0 was asked for.
  package let port: Int
  private let context: ServerContext
  private let acceptor: ConnectionAcceptor
  private let figures: [Figures]
  private let state: Lock<State>

  /// Listens on an address literal or `localhost`. `fault` and `handler` run on the `threads` connection threads and must not block;
  /// `log` gets one line at a time, `refused` the address of each connection that was one too many, both on any thread.
  package init(
    host: String, port: Int, limits: Limits = Limits(), threads: Int = 1,
    fault: @escaping @Sendable (Fault, Request?) -> Response = { fault, _ in Response(status: fault.status) },
    log: @escaping @Sendable (String) -> Void = { _ in }, refused: @escaping @Sendable (String) -> Void = { _ in },
    handler: @escaping Handler
  ) throws(ServerError) {
    guard Daemon.isObserved else { throw .libraryNotOverheard }
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
      // The one that lets connections in comes last: the others are there to take them.
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

  /// The version of libmicrohttpd that runs, as `0.9.75`; under 1.0.10 it has known defects (see the threat model).
  package static var libraryVersion: String { Daemon.version }

  /// The numbers of open connections; any thread.
  package var counts: Counts {
    figures.reduce(into: Counts(connections: 0, streams: 0, suspended: 0, cut: 0, refused: acceptor.refusals)) { $0.add($1) }
  }

  /// Throws what `init` would throw of an address and a port; listens nowhere.
  package static func check(host: String, port: Int) throws(ServerError) { try ListeningSocket.check(host: host, port: port) }

  /// New connections are refused from now on; those open get `Connection: close` with their next response. Any thread but a handler's.
  package func stopAccepting() {
    state.withLock { state in
      guard case .running(let lanes) = state else { return }
      context.phase = .draining
      acceptor.shut()
      for lane in lanes { lane.loop.wake() }
      state = .draining(lanes)
    }
  }

  /// Ends the server. Waiting requests are answered with `Fault.stopping`, and half-sent ones are cut. Responses in progress, and the bytes
  /// that wait in streams, have `Limits.grace` as long as they make progress; then every connection is closed and the threads are joined.
  /// Returns when that is done; any thread but a handler's.
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
