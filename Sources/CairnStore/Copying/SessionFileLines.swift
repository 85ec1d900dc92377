import CairnCore

/// Reads the lines of a session's file, after a check of the file's SHA-256.
struct SessionFileLines {
  private let bytes: [UInt8]
  /// The offset of the next line, and the number of lines read.
  private var next = 0
  private(set) var count = 0
  /// The offset of the last line. `take` does not return that line.
  private let end: Int
  /// The version of the file's format.
  let format: Int

  /// The error of an invalid file or line.
  struct Fault: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Checks that the file is complete and undamaged, and throws otherwise. The time is proportional to the file's size.
  init(_ bytes: [UInt8], _ crypto: SessionFile.Crypto) throws(Fault) {
    self.bytes = bytes
    guard let head = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first, let format = Self.format(ofHead: head) else {
      throw Fault("it is not a session file")
    }
    self.format = format
    guard bytes.last == UInt8(ascii: "\n") else { throw Fault("it is truncated: its last line has no line feed") }
    end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let expected = try Self.read(Array(bytes[end...].dropLast())) { (line) throws(UnreadableFormat) in
      line["sha256"] == nil ? nil : try SessionFileLine.End(reading: line).digest
    }
    guard let expected else { throw Fault("it is truncated: its checksum is missing") }
    guard Hexadecimal.text(of: crypto.digest(bytes[..<end])) == expected else { throw Fault("it is damaged: its SHA-256 does not match") }
  }

  var isAtEnd: Bool { next >= end }

  /// Returns the next line, without its line feed. Throws if no line is left.
  mutating func take() throws(Fault) -> [UInt8] {
    guard !isAtEnd, let stop = bytes[next...].firstIndex(of: UInt8(ascii: "\n")) else { throw Fault("it is truncated") }
    defer {
      next = stop + 1
      count += 1
    }
    return Array(bytes[next..<stop])
  }

  /// Reads the next line and converts its JSON. The errors of `convert` get the number of the line.
  mutating func take<Result>(_ convert: (JSONElement) throws(UnreadableFormat) -> Result) throws(Fault) -> Result {
    let line = try take()
    do throws(Fault) {
      return try Self.read(line, convert)
    } catch {
      throw Fault("line \(count): \(error.reason)")
    }
  }

  private static func read<Result>(
    _ line: [UInt8], _ convert: (JSONElement) throws(UnreadableFormat) -> Result
  ) throws(Fault) -> Result {
    do throws(UnreadableFormat) {
      return try JSONElement.reading(line, convert)
    } catch {
      throw Fault(error.reason)
    }
  }

  /// The version of the format in a head; `nil` if the line is not a head.
  private static func format(ofHead line: ArraySlice<UInt8>) -> Int? {
    // Unreported: the error is ignored, because a line that cannot be parsed is not a head. A file without a head is refused.
    try? JSONElement.reading(Array(line)) { (head) throws(UnreadableFormat) in
      head["cairn"]?.string == "session" ? head["format"]?.integer : nil
    }
  }
}
