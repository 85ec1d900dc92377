import Glibc

/// Resource figures of the process that runs the test. Other tests share the process, except in an exit test.
enum ThisProcess {
  /// The number of threads.
  static var threads: Int { entries("/proc/self/task").count }
  /// The number of open descriptors.
  static var descriptors: Int { entries("/proc/self/fd").count }

  /// The number of threads whose name begins with a prefix.
  static func threads(named prefix: String) -> Int {
    entries("/proc/self/task").count { text(of: "/proc/self/task/\($0)/comm").hasPrefix(prefix) }
  }

  /// Raises the limit on open descriptors, as far as the hard limit permits.
  static func allowDescriptors(_ count: UInt) {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var room = rlimit()
    getrlimit(files, &room)
    room.rlim_cur = max(room.rlim_cur, min(room.rlim_max, count))
    setrlimit(files, &room)
  }

  /// Prevents the process from opening descriptors while `work` runs.
  static func withoutDescriptors(_ work: () throws -> Void) rethrows {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var before = rlimit()
    getrlimit(files, &before)
    // The lowest free descriptor, because the limit applies to the numbers of descriptors.
    let free = dup(0)
    close(free)
    var limit = before
    limit.rlim_cur = UInt(free)
    setrlimit(files, &limit)
    defer { setrlimit(files, &before) }
    try work()
  }

  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return "" }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func entries(_ folder: String) -> [String] {
    guard let open = opendir(folder) else { return [] }
    defer { closedir(open) }
    var names: [String] = []
    while let entry = readdir(open) {
      // Read through a pointer, because a copy of the entry would read 256 bytes, but an entry is only as long as its name.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
