import CSpawn
import CairnRuntime
import CairnTesting
import Foundation
import Glibc

/// A separate PostgreSQL server in a temporary folder, on a free port of the loopback interface. The server ends with the test process, however the process
/// ends.
package final class PostgresServer: Sendable {
  /// The server that tests share. Each test has a separate schema.
  package static let shared = Result { try PostgresServer() }

  package let port: Int
  private let folder: URL
  private let process: ChildProcess
  /// The server runs until this end of a pipe is closed.
  private let life: Int32

  package struct NotStarted: Error {
    let output: String

    package init(output: String) { self.output = output }
  }

  /// The folder of the programs of the newest installed version.
  static let programs: String? = {
    let all = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []
    return versions.compactMap { Int($0) }.max().map { "\(all)/\($0)/bin" }
  }()

  /// Starts a server. `settings` are further options, and `reserved` is the port (default: any free port). The server trusts all users except `locked`, who
  /// needs a password.
  package init(settings: String = "", reserved: ReservedPort? = nil) throws {
    guard let programs = Self.programs else { throw NotStarted(output: "PostgreSQL is not installed: scripts/install-needed test") }
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    let reserved = try reserved ?? ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    port = reserved.port
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var ends: [Int32] = [0, 0]
    guard cairn_pipe(&ends) == 0 else { throw NotStarted(output: "no pipe") }
    // The server refuses to run as root. The shell ends it when the test process has ended, since the pipe is then closed.
    let data = folder.appending(path: "data").path
    let user = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --init-groups" : "env"
    let script = """
      set -e
      [ "$(id -u)" != 0 ] || chown postgres '\(folder.path)'
      \(user) \(programs)/initdb --pgdata='\(data)' --auth=trust --username=cairn --no-sync --no-instructions --locale=C --encoding=UTF8
      sed -i '1i host all locked all scram-sha-256' '\(data)/pg_hba.conf'
      \(user) \(programs)/postgres -D '\(data)' -h 127.0.0.1 -p \(port) -k '' -c max_connections=2000 -c max_wal_size=256MB \(settings) 3<&- &
      server=$!
      until \(programs)/pg_isready -q -h 127.0.0.1 -p \(port); do kill -0 $server; done
      echo ready
      read -r line || true
      kill -INT $server
      wait $server || true
      rm -rf '\(folder.path)'
      """
    process = try ChildProcess("/bin/sh", ["-c", script], folder: "/", input: .descriptor(ends[0]), output: .collected, error: .likeOutput)
    Glibc.close(ends[0])
    life = ends[1]
    try process.output.wait(forText: "ready\n")
  }

  deinit {
    Glibc.close(life)
    // The shell has to end the server before the process is released, which would kill the shell.
    _ = try? process.waitForEnd()
  }

  /// The URL of a database. `user` may contain a password.
  package func url(_ database: String = "postgres", user: String = "cairn") -> String { "postgres://\(user)@127.0.0.1:\(port)/\(database)" }

  /// Runs statements, each in a separate transaction, and returns the columns of the results, separated by `|`.
  @discardableResult package func sql(_ statements: String...) throws -> String {
    guard let programs = Self.programs else { throw NotStarted(output: "PostgreSQL is not installed") }
    let commands = statements.flatMap { ["-c", $0] }
    let psql = try ChildProcess(
      "\(programs)/psql", ["-XAtq", "-v", "ON_ERROR_STOP=1"] + commands + [url()], folder: "/", output: .collected, error: .likeOutput)
    guard try psql.exitCode() == 0 else { throw NotStarted(output: psql.output.text) }
    return psql.output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Creates an empty database with a unique name.
  package func createDatabase() throws -> String {
    let name = "d\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    try sql("CREATE DATABASE \(name)")
    return name
  }

  /// Runs one of PostgreSQL's programs, such as `pg_dump`, and returns its output. A status other than 0 is an error unless `acceptsFailure` is set.
  @discardableResult package func run(_ program: String, _ arguments: [String], acceptsFailure: Bool = false) throws -> String {
    guard let programs = Self.programs else { throw NotStarted(output: "PostgreSQL is not installed") }
    let process = try ChildProcess("\(programs)/\(program)", arguments, folder: "/", output: .collected, error: .likeOutput)
    guard try process.exitCode() == 0 || acceptsFailure else { throw NotStarted(output: process.output.text) }
    return process.output.text
  }

  package static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(descriptor) }
    return try bind(descriptor)
  }

  /// A free port of the loopback interface. No other process or connection gets the port before it is released. A server that sets `SO_REUSEADDR`, as
  /// PostgreSQL does, can listen on it at once.
  package final class ReservedPort: Sendable {
    package let port: Int
    private let descriptor: Int32

    package init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
      port = try PostgresServer.bind(descriptor)
    }

    deinit { Glibc.close(descriptor) }
  }

  /// Makes a socket listen on a free port of the loopback interface. No program accepts its connections.
  package static func listen(_ descriptor: Int32) throws -> Int {
    let port = try bind(descriptor)
    guard Glibc.listen(descriptor, 16) == 0 else { throw NotStarted(output: "the socket does not listen") }
    return port
  }

  private static func bind(_ descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw NotStarted(output: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
