import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite(.serialized) struct `Streams that nobody reads, or that are not there` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A port that nobody listens on now.
  private func freePort() -> Int {
    // Below those that the kernel gives to connections: one of these could be taken before the service is there.
    for _ in 0..<1_000 {
      let port = Int.random(in: 10_000..<32_000)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
      let isFree = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
      }
      if isFree { return port }
    }
    return 0
  }

  /// `cairn serve` behind a shell that arranges its streams first.
  private func serve(_ redirections: String, port: Int, output: Any?, error: Any?) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let apps = Service.root.appending(path: "config/apps").path
    process.arguments = [
      "-c", "exec '\(Service.binary.path)' serve --port \(port) --database d.sqlite --apps '\(apps)' \(redirections)",
    ]
    process.currentDirectoryURL = folder
    process.standardOutput = output
    process.standardError = error
    try process.run()
    return process
  }

  private func get(_ port: Int, _ path: String) async throws -> Int {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw Service.Failure("no URL") }
    let (_, response) = try await URLSession.shared.data(for: URLRequest(url: url, timeoutInterval: 20))
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }

  private func untilItAnswers(_ port: Int) async throws {
    let deadline = ContinuousClock.now + .seconds(240)
    while (try? await get(port, "/livez")) != 200 {
      guard ContinuousClock.now < deadline else { throw Service.Failure("it never answered") }
      await Task.yield()
    }
  }

  /// Asks it to end; false: it did not within the time, and was killed.
  private func ends(_ process: Process, within duration: Duration) async -> Bool {
    kill(process.processIdentifier, SIGTERM)
    let deadline = ContinuousClock.now + duration
    while process.isRunning, ContinuousClock.now < deadline { await Task.yield() }
    guard process.isRunning else { return process.terminationStatus == 0 }
    kill(process.processIdentifier, SIGKILL)
    return false
  }

  /// A pipe that is full already.
  private func fullPipe() -> Pipe {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 4_096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    while write(descriptor, bytes, 1) > 0 {}
    _ = fcntl(descriptor, F_SETFL, flags)
    return pipe
  }

  @Test func `stdout and stderr that nobody reads hold nothing, and a stop is in time`() async throws {
    let port = freePort()
    let (output, error) = (fullPipe(), fullPipe())
    let process = try serve("", port: port, output: output, error: error)
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    try await untilItAnswers(port)
    for _ in 1...1_000 { #expect(try await get(port, "/v1/apps") == 200) }
    #expect(await ends(process, within: .seconds(5)))
    withExtendedLifetime((output, error)) {}
  }

  @Test func `a second signal ends it at once`() async throws {
    let port = freePort()
    // While a stop waits a second for somebody to read the log.
    let error = fullPipe()
    let process = try serve("", port: port, output: nil, error: error)
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    try await untilItAnswers(port)
    // Of one signal twice the kernel would make one.
    kill(process.processIdentifier, SIGTERM)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    withExtendedLifetime(error) {}
  }

  @Test func `an author's command ends when it is asked to`() {
    // Made by hand: what Foundation starts inherits that this process's threads block every signal.
    var attributes = posix_spawnattr_t()
    var actions = posix_spawn_file_actions_t()
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // It cannot end by itself: nobody reads what it says.
    let output = fullPipe()
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
    let words = [Service.binary.path, "graph", Service.root.appending(path: "config/apps/shop.yaml").path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    #expect(posix_spawn(&child, words[0], &actions, &attributes, &arguments, environ) == 0)
    kill(child, SIGTERM)
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status & 0x7F == SIGTERM)
    withExtendedLifetime(output) {}
  }

  @Test(arguments: [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func `closed at the start they are replaced, and no file gets their lines`(redirections: String) async throws {
    let port = freePort()
    let log = folder.appending(path: "log.txt")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    let file = try FileHandle(forWritingTo: log)
    let process = try serve(redirections, port: port, output: file, error: file)
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    try await untilItAnswers(port)
    for descriptor in [(0, "<&-"), (1, " >&-"), (2, "2>&-")] where " \(redirections)".contains(descriptor.1) {
      let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.processIdentifier)/fd/\(descriptor.0)")
      #expect(place == "/dev/null")
    }
    #expect(await ends(process, within: .seconds(5)))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "log.txt" {
      let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
      #expect(!text.contains("level=") && !text.contains("Cairn listens"), "\(name)")
    }
    #expect(try Data(contentsOf: folder.appending(path: "d.sqlite.lock")).isEmpty)
  }
}
