import Glibc

/// Reports changes in a folder, and its replacement by another one. Uses inotify(7) on the folder and on every folder of its path, so that
/// it is found again after it was renamed, created again, or a link of its path was changed. Changes made through another machine, or
/// behind a link that leads out of the folder, are not seen.
///
/// Unchecked, because the descriptors are plain numbers that are set once and closed when the thread has ended.
package final class FolderWatch: @unchecked Sendable {
  private let stopping: (read: Int32, write: Int32)
  private let thread: NamedThread

  /// The quiet time after which a change counts as complete, and the longest wait for it, in milliseconds: a file that is saved in several
  /// steps is reported once.
  private static let (quiet, patience) = (Int32(100), 2_000)

  /// Watches the folder of an absolute path. `changed` comes on a thread of its own, once for what happens together.
  package init(_ folder: String, changed: @escaping @Sendable () -> Void) throws(FolderWatchError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .refused(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let stopping = (read: ends[0], write: ends[1])
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    do {
      guard descriptor >= 0 else { throw FolderWatchError.refused(code: errno) }
      var places = WatchedPlaces(folder, descriptor)
      try places.watch()
      thread = try NamedThread("cairn-watch") { [places] in
        var places = places
        Self.run(&places, descriptor, until: stopping.read, changed)
      }
    } catch {
      for end in ends + [descriptor] where end >= 0 { close(end) }
      switch error {
      case let error as FolderWatchError: throw error
      case ThreadError.refused(let code): throw .refused(code: code)
      default: throw .refused(code: 0)
      }
    }
    self.stopping = stopping
  }

  /// Ends it, after the call of `changed` that is under way.
  package func stop() {
    close(stopping.write)
    thread.join()
  }

  private static func run(
    _ places: inout WatchedPlaces, _ descriptor: Int32, until end: Int32, _ changed: @Sendable () -> Void
  ) {
    defer {
      close(descriptor)
      close(end)
    }
    while wait(for: descriptor, or: end, -1) != .over {
      guard places.read() else { continue }
      // More events may follow: the change is complete after a quiet time.
      let deadline = Monotonic.deadline(after: .milliseconds(patience))
      settling: while Monotonic.now() < deadline {
        switch wait(for: descriptor, or: end, quiet) {
        case .over: return
        case .event: _ = places.read()
        case .silence: break settling
        }
      }
      // A folder of the path that cannot be watched now is reported later by an event of the folder above it.
      try? places.watch()
      changed()
    }
  }

  private enum Awaited { case event, silence, over }

  private static func wait(for descriptor: Int32, or end: Int32, _ milliseconds: Int32) -> Awaited {
    var awaited = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0)]
    while true {
      switch poll(&awaited, 2, milliseconds) {
      case 0: return .silence
      case 1...: return awaited[1].revents != 0 ? .over : .event
      // Every signal is blocked on this thread, but a debugger's.
      default: if errno != EINTR { return .over }
      }
    }
  }
}

/// Why a folder could not be watched.
package enum FolderWatchError: Error, Equatable {
  /// The machine gives no watch, pipe or thread (fs.inotify.max_user_watches, max_user_instances); the number is the errno.
  case refused(code: Int32)
}
