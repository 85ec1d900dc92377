import CPostgres
import CairnRuntime
import CairnJournal
import Glibc
import Synchronization

/// Notifies other nodes of this node's commits by NOTIFY, and receives their notifications, so that subscribers need not wait until the node polls `changes`
/// again.
///
/// A signal is only a hint, and may be lost. NOTIFY is never part of a commit, because the server serializes the commits of transactions
/// with NOTIFY. One thread sends and receives on a separate connection; one signal covers many commits. A connection without traffic is
/// probed after a while, because a node that commits nothing would otherwise not detect a broken connection.
final class CommitSignals: Sendable {
  private let connection: PostgresConnection
  private let channel: String
  /// An eventfd, which becomes readable when a signal must be sent, and at the stop.
  private let waker: Int32
  private let isPending = Atomic(false)
  private let isOpen = Atomic(true)
  private let isConnected = Atomic(false)
  private let faults: BackgroundFaults
  private let silence: Duration
  private let thread = Lock<NamedThread?>(nil)

  /// The minimum interval between two signals of a node, in nanoseconds.
  private static let interval: UInt64 = 20_000_000
  /// The pause before the next attempt to connect, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000

  /// Creates the object without a connection. `silence` is the time without a statement after which the connection is probed.
  init(_ target: PostgresTarget, _ faults: BackgroundFaults, silence: Duration = .seconds(15)) {
    self.faults = faults
    self.silence = silence
    connection = PostgresConnection(target, for: "signals")
    channel = "\"cairn_\(target.schema)\""
    waker = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
  }

  deinit { Glibc.close(waker) }

  /// Whether this node receives signals. A broken connection may be detected only at the next statement.
  var isListening: Bool { isConnected.load(ordering: .relaxed) }

  /// Schedules a signal of a commit to the other nodes. Can be called on any thread.
  func send() {
    if !isPending.exchange(true, ordering: .acquiringAndReleasing) { wakeUp() }
  }

  /// Starts the thread of the signals. This thread calls `receive` when signals of other nodes have arrived, and after each new connection. Throws if no
  /// thread can be created.
  func start(_ receive: @escaping @Sendable () -> Void) throws(ThreadError) {
    let new = try NamedThread("cairn-signals") { [self] in
      /// The earliest time of the next signal or, without a connection, of the next attempt to connect.
      var next: UInt64 = 0
      /// The time of the next probe.
      var probe: UInt64 = 0
      while isOpen.load(ordering: .acquiring) {
        do throws(PostgresError) {
          if !connection.isOpen {
            wait(until: next, socket: nil, isSending: false)
            next = Monotonic.now() + Self.pause
            // A signal need not survive a crash of the server, so it does not wait for the disk.
            try run("SET synchronous_commit = off")
            try run("LISTEN \(channel)")
            next = 0
            probe = Monotonic.deadline(after: silence)
            isConnected.store(true, ordering: .relaxed)
            faults.succeeded(.signals)
            // Signals that were sent before the connection was opened are lost.
            receive()
          }
          if Monotonic.now() >= probe {
            try run("SELECT 1")
            probe = Monotonic.deadline(after: silence)
          }
          let isReady = next <= Monotonic.now()
          if isReady, isPending.exchange(false, ordering: .acquiringAndReleasing) {
            next = Monotonic.now() + Self.interval
            try run("NOTIFY \(channel)")
            probe = Monotonic.deadline(after: silence)
          }
          // Signals that arrived during a statement are already read from the socket, so the socket does not become readable for them.
          if try connection.takeSignals() { receive() }
          wait(until: isReady ? probe : min(next, probe), socket: connection.descriptor, isSending: isReady)
        } catch {
          isConnected.store(false, ordering: .relaxed)
          faults.note(.signals, error.description)
          connection.close()
        }
      }
      connection.close()
    }
    thread.withLock { $0 = new }
  }

  func stop() {
    isOpen.store(false, ordering: .releasing)
    wakeUp()
    thread.withLock { $0 }?.join()
  }

  private func run(_ text: String) throws(PostgresError) {
    _ = try connection.run(text, until: Monotonic.deadline(after: ConnectionPool.timeout))
  }

  private func wakeUp() {
    var one: UInt64 = 1
    _ = Glibc.write(waker, &one, MemoryLayout<UInt64>.size)
  }

  /// Blocks until the deadline, or until the socket is readable, `stop` is called or, if `isSending` is set, a signal must be sent.
  private func wait(until deadline: UInt64?, socket: Int32?, isSending: Bool) {
    while isOpen.load(ordering: .acquiring), !(isSending && isPending.load(ordering: .acquiring)) {
      let now = Monotonic.now()
      if let deadline, deadline <= now { return }
      let left = deadline.map { Int32(min(($0 - now) / 1_000_000 + 1, 60_000)) } ?? -1
      // poll(2) ignores a negative descriptor.
      var descriptors = [
        pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0), pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&descriptors, 2, left)
      if descriptors[1].revents != 0 {
        var count: UInt64 = 0
        _ = Glibc.read(waker, &count, MemoryLayout<UInt64>.size)
      }
      if ready > 0, descriptors[0].revents != 0 { return }
    }
  }
}
