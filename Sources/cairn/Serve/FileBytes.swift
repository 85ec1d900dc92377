import Foundation

/// Reads files that should be small. A large file is not read into memory.
enum FileBytes {
  /// Returns the bytes of a file, or of a pipe; `nil` if there are more than `most`.
  static func read(_ file: String, atMost most: Int) throws -> Data? {
    let handle = try FileHandle(forReadingFrom: URL(filePath: file))
    defer { try? handle.close() }
    var bytes = Data()
    while bytes.count <= most {
      guard let more = try handle.read(upToCount: most + 1 - bytes.count), !more.isEmpty else { return bytes }
      bytes += more
    }
    return nil
  }

  /// The size of a regular file in bytes; `nil` if it is unknown.
  static func size(of file: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return attributes?[.size] as? Int
  }
}
