import CairnCore
import Foundation

/// Walks over JSON that a decoder has accepted and finds what decoders pass over: members that an object has twice, and how deep
/// it goes, and a comma with nothing behind it.
struct MemberScan {
  private enum Frame {
    case object(names: Set<String>, at: String)
    case array(index: Int)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var frames: [Frame] = []
  private var found: [String] = []
  /// A comma stands before a closing bracket.
  private(set) var hasLooseComma = false
  /// Objects and arrays inside each other at most; known after the walk.
  private(set) var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// JSON Pointers of members that stand there twice, in order.
  mutating func repeatedMembers() -> [String] {
    var isName = false
    var last = UInt8(ascii: " ")
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"):
        frames.append(.object(names: [], at: ""))
        depth = max(depth, frames.count)
        isName = true
      case UInt8(ascii: "["):
        frames.append(.array(index: 0))
        depth = max(depth, frames.count)
        isName = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if last == UInt8(ascii: ",") { hasLooseComma = true }
        frames.removeLast()
        isName = false
      case UInt8(ascii: ","):
        if case .array(let position)? = frames.last {
          frames[frames.count - 1] = .array(index: position + 1)
        } else {
          isName = true
        }
      case UInt8(ascii: "\""):
        let text = string()
        if isName { enter(text) }
        isName = false
        last = UInt8(ascii: "\"")
        continue
      default: break
      }
      if ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { last = bytes[index] }
      index += 1
    }
    return found
  }

  private mutating func enter(_ name: String) {
    guard case .object(var names, _)? = frames.last else { return }
    let isNew = names.insert(name).inserted
    frames[frames.count - 1] = .object(names: names, at: name)
    guard !isNew else { return }
    found.append(
      frames.map { frame in
        switch frame {
        case .object(_, let name): "/\(name.pointerToken)"
        case .array(let index): "/\(index)"
        }
      }.joined())
  }

  /// The string that begins here, decoded; goes behind it.
  private mutating func string() -> String {
    let start = index
    var isEscaped = false
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") {
        isEscaped = true
        index += 1
      }
      index += 1
    }
    index = min(index + 1, bytes.count)
    let inner = bytes[min(start + 1, index)..<max(start + 1, index - 1)]
    guard isEscaped, let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<index])) else {
      return String(decoding: inner, as: UTF8.self)
    }
    return text
  }
}

extension String {
  /// As a reference token of a JSON Pointer (RFC 6901, 3).
  var pointerToken: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}
