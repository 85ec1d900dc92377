#if canImport(CairnPostgres)
  import CairnHTTP
  import CairnPostgres
  import CairnRuntime
  import CairnServer
  import Logging

  /// Waits for a PostgreSQL database that cannot be reached yet, so that a node can be started before the database. During the wait the
  /// node is alive but not ready.
  struct DatabaseWait {
    private let configuration: Configuration
    private let log: Logger

    /// The interval in milliseconds between two checks for a signal, and the number of checks between two attempts to connect.
    private static let step = 100
    private static let steps = 10

    init(_ configuration: Configuration, _ log: Logger) {
      self.configuration = configuration
      self.log = log
    }

    /// Waits until the database can be reached, and returns `true`. Returns `false` if a signal ended the wait. Throws an error that
    /// waiting would not resolve, such as a wrong password. `ProcessSignals.block()` must have been called.
    func run() throws(StartFailure) -> Bool {
      let opening = DatabaseOpening(configuration)
      let (target, erasures) = (try opening.target, try opening.erasures)
      _ = try opening.keys()
      guard var reason = try hindrance(target, erasures) else { return true }
      let server = try server()
      defer { server.stop() }
      log.warning("waiting until the database can be reached", metadata: ["reason": "\(reason)", "port": "\(server.port)"])
      while true {
        for _ in 0..<Self.steps {
          let _: Void? = Monitor(()).wait(until: Monotonic.deadline(after: .milliseconds(Self.step))) { _ in nil }
          if ProcessSignals.arePending, ProcessSignals.wait().isEnd { return false }
        }
        guard let next = try hindrance(target, erasures) else {
          log.notice("the database can be reached")
          return true
        }
        if next != reason { log.warning("waiting until the database can be reached", metadata: ["reason": "\(next)"]) }
        reason = next
      }
    }

    /// The reason why the database cannot be reached now; `nil` if it can be reached. Throws an error that waiting would not resolve.
    private func hindrance(_ target: PostgresTarget, _ erasures: PostgresTarget?) throws(StartFailure) -> String? {
      do throws(PostgresJournalError) {
        _ = try PostgresJournal.outlook(target, erasures: erasures, acceptsLoss: configuration.acceptsLoss)
        return nil
      } catch {
        guard error.mayPass else { throw .tool("\(error)") }
        return "\(error)"
      }
    }

    private func server() throws(StartFailure) -> Server {
      var limits = Limits()
      limits.connections = 64
      do throws(ServerError) {
        return try Server(
          host: configuration.host, port: configuration.port, limits: limits, handler: { WaitingService.handle($0, $1) })
      } catch {
        throw .server(error)
      }
    }
  }
#endif
