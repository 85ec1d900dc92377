import CSpawn
import Glibc

/// The file actions between fork and exec of a `ChildProcess`.
struct SpawnActions {
  private var actions = posix_spawn_file_actions_t()
  private var theirs: [Int32] = []

  init() { posix_spawn_file_actions_init(&actions) }

  /// Closes the descriptors that only the child needs.
  mutating func close() {
    posix_spawn_file_actions_destroy(&actions)
    for descriptor in theirs { Glibc.close(descriptor) }
    theirs = []
  }

  /// Adds a standard stream. Returns the test's end if the stream is a pipe.
  mutating func add(_ stream: ChildProcess.Stream, for number: Int32) throws -> Int32? {
    switch stream {
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    case .appended(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    case .likeOutput: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, number)
    case .collected:
      let ends = try Descriptors.pipe()
      theirs.append(ends.write)
      posix_spawn_file_actions_adddup2(&actions, ends.write, number)
      return ends.read
    }
    return nil
  }

  /// Starts the program with these streams and no other descriptor.
  mutating func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String], _ folder: String?
  ) -> Result<pid_t, ChildProcess.NotStarted> {
    if let folder { cairn_spawn_change_folder(&actions, folder) }
    cairn_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var settings = Self.environment(adding: environment).map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, path, &actions, &attributes, &words, &settings)
    return code == 0 ? .success(id) : .failure(ChildProcess.NotStarted(path: path, code: code))
  }

  /// `NAME=value` for each variable of the test's environment and of `more`.
  private static func environment(adding more: [String: String]) -> [String] {
    var own: [String] = []
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if more[String(text.prefix { $0 != "=" })] == nil { own.append(text) }
      place += 1
    }
    return own + more.map { "\($0.key)=\($0.value)" }
  }
}

/// Descriptors that no child process inherits.
package enum Descriptors {
  /// A new pipe. Both ends have the flag close-on-exec.
  package static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard cairn_pipe(&ends) == 0 else { throw ChildProcess.NotStarted(path: "pipe", code: errno) }
    return (ends[0], ends[1])
  }
}
