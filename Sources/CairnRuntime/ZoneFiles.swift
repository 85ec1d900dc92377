#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of tzdata, which the operating system keeps up to date.
package enum ZoneFiles {
  private static let folder = "/usr/share/zoneinfo"
  /// The maximum size of a file in bytes. The files of tzdata have a few kilobytes.
  private static let most = 1 << 20

  /// The content of the file of a time zone such as `Europe/Berlin`; `nil` if there is none. Reads the file at each call.
  package static func content(of name: String) -> [UInt8]? {
    guard isName(name), let file = fopen("\(folder)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var content = [UInt8](repeating: 0, count: most)
    let count = fread(&content, 1, most, file)
    // `fread` reads nothing from a folder. A file that fills the buffer is not a file of tzdata.
    guard count > 0, count < most else { return nil }
    return Array(content[..<count])
  }

  /// Whether a text can be the name of a zone: words of letters, digits, `_`, `+` and `-`, separated by slashes. So no name leads out of the folder.
  private static func isName(_ name: String) -> Bool {
    let words = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= 64
      && words.allSatisfy { word in
        !word.isEmpty
          && word.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
              UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }
}
