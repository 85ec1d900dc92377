#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reports changes in a folder and in the folders below it, and the replacement of the folder by another folder. Uses inotify(7) on the
/// folder, on the folders below it, and on every folder of its path. Hidden folders are excluded, and at most 1,000 folders, up to 8 levels
/// deep, are watched. Because the path is watched, the folder is found again after it has been renamed or created again, or after a link in
/// its path has been changed. Changes by another machine in a network folder are not reported, nor are changes behind a link that leads out
/// of the folder.
///
/// Unchecked, because the descriptors are plain numbers that are set once and closed when the thread has ended.
package final class FolderWatch: @unchecked Sendable {
  private let stopping: (read: Int32, write: Int32)
  private let thread: NamedThread

  /// The time without events after which a change counts as complete, and the maximum wait for such a time, both in milliseconds. A file
  /// that is saved in several steps is therefore reported once.
  private static let (quiet, patience) = (Int32(100), 2_000)

  /// Watches the folder at an absolute path. `changed` is called on a separate thread, once for all events that occur together. Throws if
  /// the system refuses a watch, a pipe or a thread.
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

  /// Ends the watch. Blocks until a running call of `changed` has returned.
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
      // More events may follow. The change is complete after a quiet time.
      let deadline = Monotonic.deadline(after: .milliseconds(patience))
      settling: while Monotonic.now() < deadline {
        switch wait(for: descriptor, or: end, quiet) {
        case .over: return
        case .event: _ = places.read()
        case .silence: break settling
        }
      }
      // If a folder of the path cannot be watched now, an event of its parent folder leads to another attempt.
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
      // All signals are blocked on this thread. Only a debugger can interrupt the call.
      default: if errno != EINTR { return .over }
      }
    }
  }
}

/// The reason why a folder could not be watched.
package enum FolderWatchError: Error, Equatable {
  /// The system provides no more watches, pipes or threads (fs.inotify.max_user_watches, max_user_instances). `code` is the errno.
  case refused(code: Int32)
}
