import CairnCore
import CairnCrypto
import Foundation

/// A session's file that begins with its newest state, and whose lines can be changed. Its SHA-256 is computed again.
struct ForgedFile {
  private var lines: [String]

  /// `file` is the export of a session whose history is forgotten.
  init(_ file: String) { lines = file.split(separator: "\n").dropLast().map(String.init) }

  /// The last revision, from the line of the newest state.
  private var last: String { String(lines[lines.count - 2].prefix { $0 != "," }.drop { !$0.isNumber }) }

  var bytes: [UInt8] {
    let body = lines.map { $0 + "\n" }.joined()
    let digest = Hexadecimal.text(of: SHA256.hash(body))
    return Array((body + #"{"end":\#(last),"sha256":"\#(digest)"}"# + "\n").utf8)
  }

  /// The file with a changed value of a member in its first line.
  func head(_ member: String, _ value: String) -> ForgedFile {
    changing {
      $0 == 0
    } to: {
      Self.put(member, value, in: $0)
    }
  }

  /// The file with a changed value of a member in the line before its first state.
  func beginning(_ member: String, _ value: String) -> ForgedFile {
    changing {
      lines[$0].hasPrefix(#"{"beginning""#)
    } to: {
      Self.put(member, value, in: $0)
    }
  }

  /// The file with a changed value of a member of its state, which the file contains twice.
  func state(_ member: String, _ value: String) -> ForgedFile {
    changing {
      isState($0)
    } to: {
      Self.put(member, value, in: $0)
    }
  }

  /// The file with a changed text in its state.
  func state(replacing pattern: String, with text: String) -> ForgedFile {
    changing {
      isState($0)
    } to: { line in
      line.replacingOccurrences(of: pattern, with: text, options: .regularExpression)
    }
  }

  private func isState(_ line: Int) -> Bool {
    line > 0 && [#"{"beginning""#, #"{"state""#].contains { lines[line - 1].hasPrefix($0) }
  }

  private func changing(_ isMeant: (Int) -> Bool, to change: (String) -> String) -> ForgedFile {
    var file = self
    for line in lines.indices where isMeant(line) { file.lines[line] = change(lines[line]) }
    return file
  }

  /// Sets or adds a member of an object whose value is a number.
  private static func put(_ member: String, _ value: String, in line: String) -> String {
    if let place = line.range(of: #""\#(member)":-?[0-9]+"#, options: .regularExpression) {
      return line.replacingCharacters(in: place, with: #""\#(member)":\#(value)"#)
    }
    return line.replacing(#"{"#, with: #"{"\#(member)":\#(value),"#, maxReplacements: 1)
  }
}
