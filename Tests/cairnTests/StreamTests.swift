import CairnTesting
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite(.serialized, .tags(.timing), .ownThreads) struct `Standard streams that are closed or never read` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs `cairn serve` under a shell that first sets up its standard streams. The test cannot read the banner, so the address is taken from the socket of the
  /// service manager.
  private func serve(
    _ redirections: String, output: ChildProcess.Stream, error: ChildProcess.Stream
  ) async throws -> (process: ChildProcess, port: Int) {
    let manager = try NotifySocket(folder.appending(path: "notify").path)
    let apps = Service.root.appending(path: "config/apps").path
    let command = "exec '\(Service.binary.path)' serve --port 0 --database d.sqlite --apps '\(apps)' \(redirections)"
    let process = try ChildProcess(
      "/bin/sh", ["-c", command], environment: ["NOTIFY_SOCKET": manager.path], folder: folder.path, output: output, error: error)
    return (process, try await onOwnThread { try manager.port() })
  }

  private func get(_ port: Int, _ path: String) async throws -> Int {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw Service.Failure("no URL") }
    let request = URLRequest(url: url, timeoutInterval: TimeInterval(TestTimeout.seconds))
    let (_, response) = try await URLSession.shared.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }

  /// Sends SIGTERM, and returns the exit code.
  private func end(_ process: ChildProcess) throws -> Int32 {
    process.signal(SIGTERM)
    return try process.exitCode()
  }

  /// A pipe whose buffer is full.
  private func fullPipe() throws -> (read: Int32, write: Int32) {
    let ends = try Descriptors.pipe()
    let flags = fcntl(ends.write, F_GETFL)
    _ = fcntl(ends.write, F_SETFL, flags | O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 4_096)
    while write(ends.write, bytes, bytes.count) > 0 {}
    while write(ends.write, bytes, 1) > 0 {}
    _ = fcntl(ends.write, F_SETFL, flags)
    return ends
  }

  private func close(_ pipe: (read: Int32, write: Int32)) {
    Glibc.close(pipe.read)
    Glibc.close(pipe.write)
  }

  @Test func `stdout and stderr without a reader block nothing, and a stop is in time`() async throws {
    let (output, error) = (try fullPipe(), try fullPipe())
    defer {
      close(output)
      close(error)
    }
    let (process, port) = try await serve("", output: .descriptor(output.write), error: .descriptor(error.write))
    for _ in 1...1_000 { #expect(try await get(port, "/v1/apps") == 200) }
    #expect(try end(process) == 0)
  }

  @Test func `a second signal ends the service at once`() async throws {
    // The stop waits a second for a reader of the log.
    let error = try fullPipe()
    defer { close(error) }
    let (process, _) = try await serve("", output: .null, error: .descriptor(error.write))
    // The kernel would combine two equal pending signals.
    process.signal(SIGTERM)
    process.signal(SIGINT)
    #expect(try process.waitForEnd() == .exited(130))
  }

  @Test func `a signal ends a command that is blocked on its output`() throws {
    // The command cannot end by itself, because its output has no reader.
    let output = try fullPipe()
    defer { close(output) }
    let graph = try ChildProcess(
      Service.binary.path, ["graph", Service.root.appending(path: "config/apps/shop.yaml").path], output: .descriptor(output.write))
    graph.signal(SIGTERM)
    #expect(try graph.waitForEnd() == .killed(signal: SIGTERM))
  }

  @Test(arguments: [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func `streams that are closed at the start are replaced, and no file gets their lines`(redirections: String) async throws {
    let log = folder.appending(path: "log.txt")
    let (process, _) = try await serve(redirections, output: .appended(log.path), error: .likeOutput)
    for descriptor in [(0, "<&-"), (1, " >&-"), (2, "2>&-")] where " \(redirections)".contains(descriptor.1) {
      let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.id)/fd/\(descriptor.0)")
      #expect(place == "/dev/null")
    }
    #expect(try end(process) == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !["log.txt", "notify"].contains(name) {
      let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
      #expect(!text.contains("level=") && !text.contains("Cairn listens"), "\(name)")
    }
    #expect(try Data(contentsOf: folder.appending(path: "d.sqlite.lock")).isEmpty)
  }
}
