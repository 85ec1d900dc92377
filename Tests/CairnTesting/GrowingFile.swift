import CairnRuntime
import Glibc

/// A file that another process writes, such as a log.
package struct GrowingFile: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Blocks until the text of the file fulfils the condition, and returns it. Reads after each write (inotify). The file must exist. Throws `Transcript.Ended`
  /// after the timeout.
  @discardableResult package func wait(
    for what: String, file: StaticString = #fileID, line: UInt = #line, until holds: (String) throws -> Bool
  ) throws -> String {
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(watch) }
    guard watch >= 0, inotify_add_watch(watch, path, UInt32(IN_MODIFY | IN_CLOSE_WRITE)) >= 0 else {
      throw ChildProcess.NotStarted(path: path, code: errno)
    }
    let deadline = TestTimeout.deadline
    // The watch is added before the first read, so that no write is missed between the two.
    while true {
      let text = try text()
      if try holds(text) { return text }
      let now = Monotonic.now()
      guard now < deadline else { throw Transcript.Ended(description: "\(NeverCame(what, file: file, line: line)): \(text.suffix(4_000))") }
      var awaited = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      guard poll(&awaited, 1, Int32((deadline - now) / 1_000_000 + 1)) > 0 else { continue }
      var events = [UInt8](repeating: 0, count: 4_096)
      _ = read(watch, &events, events.count)
    }
  }

  /// The current text of the whole file.
  package func text() throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ChildProcess.NotStarted(path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }
}
