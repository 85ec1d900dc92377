import CMicroHTTPD
import Glibc

/// A set of descriptors watched with epoll, edge-triggered: each change is reported once. Used on one thread. The set's own descriptor is
/// readable when events are available.
final class EpollSet {
  /// The events of one descriptor.
  struct News {
    let descriptor: Int32
    /// Whether the other side has closed, or the connection has failed.
    let isGone: Bool
    let isReadable: Bool
    let isWritable: Bool
  }

  let descriptor: Int32

  /// Maximum number of events that one call of `read()` returns.
  static let most = 256

  /// Creates an empty set; `nil` if the process has no free descriptor.
  init?() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Watches a descriptor. Returns false if the kernel refuses it. The next `read()` also reports conditions that already exist.
  func add(_ watched: Int32) -> Bool {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    event.data.fd = watched
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
  }

  /// Stops watching a descriptor. Must be called before the descriptor is closed, because a duplicate of the descriptor would keep the
  /// socket in the set.
  func remove(_ watched: Int32) {
    var unused = epoll_event()
    epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &unused)
  }

  /// Returns the available events, at most `most`. Does not block.
  func read() -> [News] {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.most) { events in
      let count = epoll_wait(descriptor, events.baseAddress, Int32(Self.most), 0)
      return (0..<max(0, Int(count))).map { index in
        let flags = events[index].events
        return News(
          descriptor: events[index].data.fd,
          isGone: flags & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0,
          isReadable: flags & EPOLLIN.rawValue != 0, isWritable: flags & EPOLLOUT.rawValue != 0)
      }
    }
  }
}
