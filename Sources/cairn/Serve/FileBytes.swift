import Foundation

/// Reads files that should be small. A file above the limit is not read as a whole.
enum FileBytes {
  /// Returns the bytes of a file, or of a pipe; `nil` if there are more than `most` bytes.
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

  /// The size of a regular file in bytes; `nil` if the file is not a regular file or its size cannot be read.
  static func size(of file: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return attributes?[.size] as? Int
  }
}
