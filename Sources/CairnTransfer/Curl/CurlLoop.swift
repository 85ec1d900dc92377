#if canImport(CCurl)
  import CCurl
  import CairnRuntime
  import Glibc

  /// Runs any number of exchanges on one thread, which sleeps while no exchange makes progress.
  final class CurlLoop: Sendable {
    private struct Inbox {
      var begun: [CurlExchange] = []
      var cancelled: [CurlExchange] = []
      var isStopping = false
      /// The loop's thread; `nil` if it has not been started.
      var thread: NamedThread?
      var threadID: pthread_t?
      /// libcurl's handle for all transfers; `nil` before the thread starts and after it ends.
      var multi: MultiHandle?
    }

    private let inbox = Lock(Inbox())

    /// Passes an exchange to the thread. The first exchange starts the thread.
    func begin(_ exchange: CurlExchange) {
      let fault = inbox.withLock { inbox -> TransferFault? in
        guard !inbox.isStopping else { return .cancelled }
        guard start(&inbox) else { return .failed(Int(CURLE_FAILED_INIT.rawValue)) }
        inbox.begun.append(exchange)
        inbox.multi?.wake()
        return nil
      }
      if let fault { exchange.end(fault) }
    }

    /// Ends an exchange as `cancelled`, unless it has already ended. Does not wait for the end.
    func cancel(_ exchange: CurlExchange) {
      inbox.withLock { inbox in
        guard !inbox.isStopping else { return }
        inbox.cancelled.append(exchange)
        inbox.multi?.wake()
      }
    }

    /// Ends all exchanges as `cancelled`, and rejects new exchanges. Blocks until the thread has ended, unless the caller runs on that
    /// thread.
    func stop() {
      let thread = inbox.withLock { inbox -> NamedThread? in
        inbox.isStopping = true
        inbox.multi?.wake()
        return inbox.threadID.map { pthread_equal($0, pthread_self()) != 0 } ?? false ? nil : inbox.thread
      }
      thread?.join()
    }

    private func start(_ inbox: inout Inbox) -> Bool {
      guard inbox.thread == nil else { return true }
      guard let multi = MultiHandle() else { return false }
      inbox.multi = multi
      inbox.thread = try? NamedThread("cairn-transfer") { [self] in run(multi) }
      return inbox.thread != nil
    }

    private func run(_ multi: MultiHandle) {
      Self.blockSIGPIPE()
      inbox.withLock { $0.threadID = pthread_self() }
      var exchanges: [UnsafeMutableRawPointer: CurlExchange] = [:]
      while true {
        let (begun, cancelled, isStopping) = inbox.withLock { inbox in
          defer { (inbox.begun, inbox.cancelled) = ([], []) }
          return (inbox.begun, inbox.cancelled, inbox.isStopping)
        }
        for exchange in begun { begin(exchange, multi, &exchanges) }
        for exchange in cancelled { end(exchange, .cancelled, multi, &exchanges) }
        if isStopping { break }
        multi.perform { easy, code in
          guard let exchange = exchanges[easy] else { return }
          end(exchange, exchange.fault(of: code), multi, &exchanges)
        }
        multi.wait(until: endSilent(multi, &exchanges))
      }
      for exchange in exchanges.values { end(exchange, .cancelled, multi, &exchanges) }
      inbox.withLock { $0.multi = nil }
    }

    private func begin(_ exchange: CurlExchange, _ multi: MultiHandle, _ exchanges: inout [UnsafeMutableRawPointer: CurlExchange]) {
      do throws(TransferFault) {
        let easy = try exchange.prepare()
        try multi.add(easy)
        exchanges[easy] = exchange
      } catch {
        exchange.end(error)
      }
    }

    private func end(
      _ exchange: CurlExchange, _ fault: TransferFault?, _ multi: MultiHandle,
      _ exchanges: inout [UnsafeMutableRawPointer: CurlExchange]
    ) {
      guard let easy = exchange.easy, exchanges.removeValue(forKey: easy) != nil else { return }
      multi.remove(easy)
      exchange.end(fault)
    }

    /// Ends the exchanges that have received nothing within their idle timeout. Returns the next deadline (`Monotonic`); `nil` if no exchange has an idle
    /// timeout.
    private func endSilent(_ multi: MultiHandle, _ exchanges: inout [UnsafeMutableRawPointer: CurlExchange]) -> UInt64? {
      let bounded = exchanges.values.compactMap { exchange in exchange.idleDeadline.map { (exchange, $0) } }
      guard !bounded.isEmpty else { return nil }
      let now = Monotonic.now()
      for (exchange, deadline) in bounded where deadline <= now { end(exchange, .timeout, multi, &exchanges) }
      return bounded.map(\.1).filter { $0 > now }.min()
    }

    /// Blocks SIGPIPE on this thread. OpenSSL writes to sockets without MSG_NOSIGNAL, and an embedding app may not ignore the signal.
    private static func blockSIGPIPE() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
  }
#endif
