import Glibc

/// What the kernel says of the process that the test runs in. Other tests run in it too, unless it is an exit test's.
enum ThisProcess {
  /// Its threads.
  static var threads: Int { entries("/proc/self/task") }
  /// Its open descriptors.
  static var descriptors: Int { entries("/proc/self/fd") }
  /// Memory that it holds, in bytes.
  static var memory: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let numbers = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
    return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Lets it have so many descriptors, if it may.
  static func allowDescriptors(_ count: UInt) {
    // RLIMIT_NOFILE, an enum's case in C whose name Swift gives another type.
    let files = __rlimit_resource_t(7)
    var room = rlimit()
    getrlimit(files, &room)
    room.rlim_cur = max(room.rlim_cur, min(room.rlim_max, count))
    setrlimit(files, &room)
  }

  private static func entries(_ folder: String) -> Int {
    guard let open = opendir(folder) else { return 0 }
    defer { closedir(open) }
    var count = 0
    while readdir(open) != nil { count += 1 }
    return count
  }
}
