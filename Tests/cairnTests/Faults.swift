import CairnTesting
import Foundation

/// Makes file operations of a service on its database fail on request. Uses Tests/Faults/faults.c.
final class Faults {
  /// The kinds of faults, with the numbers of the C file.
  enum Kind: Int32, CaseIterable {
    case syncFails = 1
    case writeIsShort, diskIsFull, writeFails
  }

  private let folder: URL
  private var library: URL { folder.appending(path: "faults.so") }
  private var control: URL { folder.appending(path: "faults") }

  /// Compiles the library.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 64).write(to: control)
    let source = Service.root.appending(path: "Tests/Faults/faults.c").path
    let arguments = ["sh", "-c", Self.compile, "cc", "-shared", "-fPIC", "-O1", "-o", library.path, source, "-ldl"]
    let compiler = try ChildProcess("/usr/bin/env", arguments, output: .collected, error: .likeOutput)
    guard try compiler.exitCode() == 0 else { throw Service.Failure("faults.c was not compiled: \(compiler.output.text)") }
  }

  /// Finds a C compiler. The Swift toolchain contains one.
  private static let compile = #"""
    compiler=$(command -v cc || command -v clang || echo "$(dirname "$(readlink -f "$(command -v swift)")")/clang")
    exec "$compiler" "$@"
    """#

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The environment with which the service is started.
  var environment: [String: String] { ["LD_PRELOAD": library.path, "CAIRN_FAULTS": control.path] }

  /// Makes calls on files with a suffix fail. The first `after` calls succeed, and then `times` calls fail, or all if `times` is negative.
  func begin(_ kind: Kind, on suffix: String, after: Int = 0, times: Int = -1) throws {
    var bytes = Data()
    for number in [0, Int32(after), Int32(times), 0] { withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) } }
    bytes.append(Data(suffix.utf8))
    bytes.append(Data(count: 64 - bytes.count))
    try write(bytes, at: 0)
    // The kind is written last, because it activates the other values.
    try write(withUnsafeBytes(of: kind.rawValue) { Data($0) }, at: 0)
  }

  /// Makes all calls succeed again, and returns the number of failed calls.
  func end() throws -> Int {
    try write(Data(count: 4), at: 0)
    let bytes = try Data(contentsOf: control)
    return bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Writes in place, because the file is shared with the service.
  private func write(_ bytes: Data, at place: UInt64) throws {
    let handle = try FileHandle(forWritingTo: control)
    try handle.seek(toOffset: place)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }
}
