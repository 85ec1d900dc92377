import CairnServer
import Foundation

/// The sources of the operator keys. A key has at least 16 characters, and no two operators share a name or a key.
struct OperatorKeySources {
  /// The key of the operator named `operator`, and the setting that contains it; `nil` if no setting contains it.
  var single: (text: String, source: String)?
  /// `NAME: KEY` pairs, separated by commas or line breaks, and the setting that contains them; `nil` if no setting contains them.
  var list: (text: String, source: String)?
  /// The path of a file with one `NAME: KEY` per line; `nil` if no file is set. Lines that begin with `#` are comments.
  var file: String?

  private static let shortest = 16

  /// Reads the key file again and returns the keys of all sources. Throws if the file cannot be read or an entry is invalid.
  func read() throws(SettingFault) -> [OperatorKey] {
    var found = Found()
    if let single { try found.add(OperatorKey(name: "operator", key: single.text), single.source) }
    if let list {
      for (index, part) in list.text.split(whereSeparator: { $0 == "," || $0.isNewline }).enumerated() {
        try found.add(part, "\(list.source), entry \(index + 1)")
      }
    }
    if let file {
      let text: String
      do {
        text = try String(contentsOfFile: file, encoding: .utf8)
      } catch {
        throw .operatorKeys(source: file, reason: "the file of operator keys cannot be read")
      }
      for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
        let line = line.trimmingCharacters(in: .whitespaces)
        if !line.isEmpty, !line.hasPrefix("#") { try found.add(line, "\(file):\(index + 1)") }
      }
    }
    return found.keys
  }

  /// The keys that have been read so far.
  private struct Found {
    var keys: [OperatorKey] = []

    mutating func add(_ entry: some StringProtocol, _ source: String) throws(SettingFault) {
      guard let colon = entry.firstIndex(of: ":") else {
        throw .operatorKeys(source: source, reason: "an operator key must have the form NAME: KEY")
      }
      let name = entry[..<colon].trimmingCharacters(in: .whitespaces)
      let key = entry[entry.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      guard OperatorKey.isName(name) else {
        throw .operatorKeys(source: source, reason: "an operator's name \(OperatorKey.wrongName)")
      }
      try add(OperatorKey(name: name, key: key), source)
    }

    mutating func add(_ key: OperatorKey, _ source: String) throws(SettingFault) {
      let count = key.key.utf8.count
      guard key.key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .operatorKeys(source: source, reason: "the key of \(key.name) must consist of visible ASCII characters without spaces")
      }
      guard count >= OperatorKeySources.shortest else {
        throw .operatorKeys(
          source: source,
          reason:
            "the key of \(key.name) is too short: it has \(count) characters and must have at least \(OperatorKeySources.shortest); "
            + "create a key with: openssl rand -base64 24"
        )
      }
      guard !keys.contains(where: { $0.name == key.name }) else {
        throw .operatorKeys(source: source, reason: "the operator \(key.name) is listed twice; remove one of the two keys")
      }
      guard let other = keys.first(where: { $0.key == key.key }) else { return keys.append(key) }
      throw .operatorKeys(source: source, reason: "\(key.name) has the same key as \(other.name); give each operator a different key")
    }
  }
}
