/// The name of a member as it stands on the disk: to be compared with the names that the format knows, not to be kept.
struct DiskName {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Letters between two quotes; valid as long as they are.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// How many letters it has.
  var count: Int { bytes.count }

  /// So that a `switch` over it reads as one over texts. Names of the format need no escape.
  static func ~= (name: StaticString, member: DiskName) -> Bool {
    guard name.utf8CodeUnitCount == member.bytes.count else { return false }
    for place in 0..<member.bytes.count where name.utf8Start[place] != member.bytes[place] { return false }
    return true
  }
}
