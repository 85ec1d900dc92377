import Foundation
import Glibc

/// The sessions that were started on this machine, with their secrets. The file that stores them is readable only by its owner.
struct SessionMemory: Codable {
  /// A remembered session.
  struct Item: Codable, Hashable {
    var name: String
    var url: String
    var id: String
    var secret: String
    var app: String
  }

  /// The sessions in the order in which they were started.
  var sessions: [Item] = []
  /// The id of the session that was started last; `nil` if no session was started. The id is kept after that session has ended. Otherwise
  /// another session would become the current one, and commands would act on an unexpected session.
  var current: String?

  /// The session for commands that name no session; `nil` if the session that was started last has ended.
  var last: Item? { current.flatMap { id in sessions.last { $0.id == id } } }

  /// Returns the session with a name or id; `nil` if there is no such session. If several sessions have the same name, returns the session
  /// that was started last.
  func item(_ text: String) -> Item? { sessions.last { $0.name == text || $0.id == text } }

  /// The path of the file: `$XDG_STATE_HOME/cairn/sessions.json`, or `~/.local/state/cairn/sessions.json`. `nil` if no home directory is
  /// set.
  static func path(_ environment: [String: String]) -> URL? {
    // The XDG specification requires that relative paths are ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return URL(filePath: state).appending(path: file) }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return URL(filePath: home).appending(path: ".local/state").appending(path: file)
  }

  private static let file = "cairn/sessions.json"

  /// Loads the remembered sessions; an empty memory if the file is missing or unreadable. With `url`, loads only the sessions of that
  /// service, so that their secrets are not sent to another service.
  static func load(_ environment: [String: String], url: String? = nil) -> SessionMemory {
    var memory = path(environment).flatMap(kept) ?? SessionMemory()
    if let url { memory.sessions.removeAll { $0.url != url } }
    return memory
  }

  /// Reads the file. Returns an empty memory if the file does not exist, and `nil` if the file cannot be read.
  private static func kept(_ path: URL) -> SessionMemory? {
    guard FileManager.default.fileExists(atPath: path.path) else { return SessionMemory() }
    return (try? Data(contentsOf: path)).flatMap { try? JSONDecoder().decode(SessionMemory.self, from: $0) }
  }

  /// Changes the file under a lock, so that only one process at a time changes it. Returns `false` if the file cannot be read or written.
  static func change(_ environment: [String: String], _ body: (inout SessionMemory) -> Void) -> Bool {
    guard let path = path(environment) else { return false }
    let folder = path.deletingLastPathComponent()
    let private700: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: private700)
    let lock = open(folder.appending(path: "sessions.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { return false }
    defer { close(lock) }
    flock(lock, LOCK_EX)
    // An unreadable file is not overwritten, because it contains the only copies of secrets.
    guard var memory = kept(path) else { return false }
    body(&memory)
    return memory.save(path)
  }

  /// Writes a new file and renames it over the old one, so that a reader never sees a partly written file. Returns `false` if the file
  /// cannot be written.
  private func save(_ path: URL) -> Bool {
    let coder = JSONEncoder()
    coder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? coder.encode(self) else { return false }
    let fresh = path.appendingPathExtension("new")
    unlink(fresh.path)
    let file = open(fresh.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let isWritten = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == data.count
    close(file)
    return isWritten && rename(fresh.path, path.path) == 0
  }
}
