import CairnRuntime
import Glibc

/// The text that a child process writes to one of its streams. Safe on any thread.
package final class Transcript: Sendable {
  private struct Contents {
    var bytes: [UInt8] = []
    var isOpen = false
  }

  private let contents = Monitor(Contents())

  /// The awaited text was not written before the stream ended or the timeout passed.
  package struct Ended: Error, CustomStringConvertible { package let description: String }

  /// The text written so far.
  package var text: String { contents.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  /// Reads a pipe to its end on a new thread, and closes it. Without a descriptor the transcript stays empty.
  func read(_ descriptor: Int32?) throws {
    guard let descriptor else { return }
    contents.withLock { $0.isOpen = true }
    let contents = contents
    _ = try NamedThread("transcript") {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        contents.change { $0.bytes += chunk[..<count] }
      }
      close(descriptor)
      contents.change { $0.isOpen = false }
    }
  }

  /// Blocks until the text fulfils a condition, and returns all of it. Throws `Ended` if the stream ends before, or after the timeout.
  @discardableResult package func wait(
    for what: String, file: StaticString = #fileID, line: UInt = #line, until holds: (String) -> Bool
  ) throws -> String {
    do {
      let found: Result<String, Ended> = try contents.wait(for: what, file: file, line: line) { contents in
        let text = String(decoding: contents.bytes, as: UTF8.self)
        if holds(text) { return .success(text) }
        return contents.isOpen ? nil : .failure(Ended(description: "the stream ended before \(what) (\(file):\(line)): \(text)"))
      }
      return try found.get()
    } catch let error as NeverCame {
      throw Ended(description: "\(error): \(text)")
    }
  }

  /// Blocks until the text contains `wanted`, and returns all of it.
  @discardableResult package func wait(forText wanted: String, file: StaticString = #fileID, line: UInt = #line) throws -> String {
    try wait(for: "\"\(wanted)\"", file: file, line: line) { $0.contains(wanted) }
  }

  /// Blocks until the stream has ended.
  func waitForEnd(file: StaticString, line: UInt) throws {
    try contents.wait(for: "the end of a stream", file: file, line: line) { $0.isOpen ? nil : () }
  }
}
