#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The name by which operators recognize a node.
package enum NodeName {
  /// The host's name and the process id, such as `web-1/4711`; only the process id if the host's name cannot be read.
  package static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "\(getpid())" }
    return "\(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))/\(getpid())"
  }
}
