import CairnTesting
import Foundation
import Glibc

/// PgBouncer in transaction mode in front of the shared server. It ends with the object.
package final class Pooler {
  package let port: Int
  private let folder: URL
  private let process: ChildProcess

  package init() throws {
    port = try PostgresServer.freePort()
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = """
      [databases]
      postgres = host=127.0.0.1 port=\(try PostgresServer.shared.get().port) dbname=postgres user=cairn
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      unix_socket_dir =
      auth_type = any
      pool_mode = transaction
      """
    try Data(settings.utf8).write(to: folder.appending(path: "pgbouncer.ini"))
    // PgBouncer refuses to run as root.
    let user = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --init-groups" : "env"
    process = try ChildProcess(
      "/bin/sh", ["-c", "exec \(user) /usr/sbin/pgbouncer '\(folder.path)/pgbouncer.ini' 2>&1"], folder: "/", output: .collected,
      error: .likeOutput)
    try process.output.wait(forText: "process up")
  }

  deinit {
    process.signal(SIGINT)
    _ = try? process.waitForEnd()
    try? FileManager.default.removeItem(at: folder)
  }
}
