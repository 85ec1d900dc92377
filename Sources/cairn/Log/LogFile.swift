import CairnRuntime
import Glibc

/// A file to which log lines are appended. It is reopened after a log rotation has moved it. Thread-safe.
final class LogFile: Sendable {
  private let path: String
  private let descriptor: Lock<Int32>

  /// Opens the file. The file is created with mode 0640 if it does not exist. Throws if it cannot be opened.
  init(_ path: String) throws(StartFailure) {
    self.path = path
    let opened = Self.open(path)
    guard opened >= 0 else { throw .logFile(path: path, reason: String(cString: strerror(errno))) }
    descriptor = Lock(opened)
  }

  deinit { descriptor.withLock { _ = close($0) } }

  /// Appends bytes. Lines that cannot be written, for example because the disk is full, are lost, so that no caller waits.
  func write(_ bytes: [UInt8]) {
    descriptor.withLock { descriptor in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Opens the path again. Returns `nil` on success. Returns the reason if the path cannot be opened; lines are then still written to the
  /// previous file.
  func reopen() -> String? {
    descriptor.withLock { descriptor in
      let opened = Self.open(path)
      guard opened >= 0 else { return "\(path): \(String(cString: strerror(errno)))" }
      close(descriptor)
      descriptor = opened
      return nil
    }
  }

  private static func open(_ path: String) -> Int32 { Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640) }
}
