#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The reason why a thread could not be started.
package enum ThreadError: Error, Equatable {
  /// The system refused the thread (EAGAIN: a limit, or lack of memory). `code` is the errno.
  case refused(code: Int32)
}

/// An operating system thread with a name that `top -H` and debuggers show.
///
/// Unchecked, because `handle` is a plain number that is written once, before the value is shared; joining is guarded by a lock.
package final class NamedThread: @unchecked Sendable {
  /// Lets tests simulate that the system refuses threads with certain names. It applies to threads that are started in the current task.
  @TaskLocal package static var isRefused: (@Sendable (String) -> Bool)?

  private let handle: pthread_t
  private let joined = Lock(false)

  /// Starts a new thread that runs `body`. `name` is truncated to 15 bytes, the limit of Linux.
  package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    if let isRefused = Self.isRefused, isRefused(name) { throw .refused(code: EAGAIN) }
    let box = Unmanaged.passRetained(Work(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        // The argument is the box passed below; it is never nil.
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw .refused(code: code)
    }
    handle = thread
  }

  deinit {
    joined.withLock { if !$0 { pthread_detach(handle) } }
  }

  /// Blocks until `body` has returned. Later calls return immediately. Must not be called on the thread itself.
  package func join() {
    joined.withLock { joined in
      guard !joined else { return }
      pthread_join(handle, nil)
      joined = true
    }
  }
}

private final class Work: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    // pthread_setname_np is a GNU extension that Swift's Glibc does not export. A write to this file also sets the name. If the write
    // fails, the thread only lacks its name, so the failure is ignored.
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    if file >= 0 {
      let short = Array(name.utf8.prefix(15))
      _ = write(file, short, short.count)
      close(file)
    }
    body()
  }
}
