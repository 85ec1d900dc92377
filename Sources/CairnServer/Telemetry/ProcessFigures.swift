import Glibc

/// Metrics of the process, with the names of Prometheus' client libraries. A metric that the kernel does not provide is omitted.
package enum ProcessFigures {
  package static func metrics() -> [Metric] {
    var metrics: [Metric] = []
    if let pages = number(in: "/proc/self/statm", at: 1) {
      metrics.append(
        Metric("process_resident_memory_bytes", .gauge, "Resident memory of the process.", pages * sysconf(Int32(_SC_PAGESIZE))))
    }
    let most = descriptorLimit()
    if let count = descriptors(limit: most) { metrics.append(Metric("process_open_fds", .gauge, "Open file descriptors.", count)) }
    if let most { metrics.append(Metric("process_max_fds", .gauge, "Maximum number of open file descriptors.", most)) }
    if let start = startTime() {
      metrics.append(Metric("process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970.", [.init([:], start)]))
    }
    var usage = rusage()
    if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
      let seconds = usage.ru_utime.seconds + usage.ru_stime.seconds
      metrics.append(
        Metric("process_cpu_seconds_total", .counter, "CPU time that the process has used, user and system.", [.init([:], seconds)]))
    }
    return metrics
  }

  /// The start time of the process in seconds since 1970: the machine's boot time plus `starttime` (proc(5)); `nil` if the time cannot be
  /// read.
  private static func startTime() -> Double? {
    guard let stat = text(of: "/proc/self/stat"), let name = stat.lastIndex(of: ")"), let boot = text(of: "/proc/stat") else { return nil }
    // The process name may contain blanks, so the fields are split after it. Field 22 of the file is the 20th field there.
    let fields = stat[stat.index(after: name)...].split(separator: " ")
    let line = boot.split(separator: "\n").first { $0.hasPrefix("btime ") }
    let ticks = sysconf(Int32(_SC_CLK_TCK))
    guard fields.count > 19, let started = Int(fields[19]), let seconds = line.flatMap({ Int($0.dropFirst(6)) }), ticks > 0 else {
      return nil
    }
    return Double(seconds) + Double(started) / Double(ticks)
  }

  private static func text(of file: String) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += bytes[..<count]
    }
  }

  /// Returns the number at an index of a file that contains numbers separated by blanks; `nil` if the number cannot be read.
  private static func number(in file: String, at index: Int) -> Int? {
    guard let words = text(of: file)?.split(separator: " ") else { return nil }
    return words.count > index ? Int(words[index]) : nil
  }

  private static func descriptorLimit() -> Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// The number of open descriptors; `nil` if they cannot be counted. Opening the folder needs one more descriptor. If this fails with
  /// `EMFILE`, the number of open descriptors is the limit.
  private static func descriptors(limit: Int?) -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return errno == EMFILE ? limit : nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The entries `.`, `..` and the descriptor of the open folder are not counted.
    return count - 3
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
