import Glibc

/// The kernel's figures of the process that the test runs in. Other tests run in it too, unless it is an exit test's.
enum ThisProcess {
  /// Its threads.
  static var threads: Int { entries("/proc/self/task").count }
  /// Its open descriptors.
  static var descriptors: Int { entries("/proc/self/fd").count }

  /// Its threads whose names begin like that.
  static func threads(named prefix: String) -> Int {
    entries("/proc/self/task").count { text(of: "/proc/self/task/\($0)/comm").hasPrefix(prefix) }
  }

  /// Lets it have so many descriptors, if it may.
  static func allowDescriptors(_ count: UInt) {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var room = rlimit()
    getrlimit(files, &room)
    room.rlim_cur = max(room.rlim_cur, min(room.rlim_max, count))
    setrlimit(files, &room)
  }

  /// Leaves it no room for another descriptor until `work` is done.
  static func withoutDescriptors(_ work: () throws -> Void) rethrows {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var before = rlimit()
    getrlimit(files, &before)
    // The lowest number that is free: the limit is one of numbers.
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
      // By its address: a copy would be of 256 bytes, and an entry is as long as its name.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
