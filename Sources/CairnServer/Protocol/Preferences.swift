package import CairnAPI
package import CairnHTTP
package import CairnStore

/// A client's preferences for its response (RFC 7240). Unknown preferences and values are ignored. If a preference is repeated, its first
/// valid value is used.
package struct Preferences: Hashable, Sendable {
  /// Whether the response may omit the stack and the tree: `return=minimal` (4.2).
  package private(set) var isMinimal = false
  /// The value of `wait`, in seconds (4.3); `nil` if the client does not give this preference.
  package private(set) var wait: Int?
  /// The additional members of the session in the response to a post: `include="facts accepts pending"`.
  package private(set) var included: SessionMembers = []

  /// Whether the response contains the predictions of the accepted actions: `predict`.
  package var predicts = false
  /// Whether the response contains the additional data for an engine in the client: `replica`.
  package var wantsReplica = false

  /// The addition to the response; `nil` if the client asked for no addition. `replica` takes precedence, because a client with an engine
  /// needs no predictions.
  package var addition: Addition? { wantsReplica ? .replica : predicts ? .predictions : nil }

  /// The preferences among `return` and `include` that have been read, so that a repetition is ignored.
  private var given: Given = []

  private struct Given: OptionSet, Hashable {
    let rawValue: UInt8

    static let response = Given(rawValue: 1)
    static let included = Given(rawValue: 2)
  }

  /// Reads the `Prefer` fields of a request.
  package init(_ headers: ReceivedHeaders) {
    guard headers.has("Prefer") else { return }
    for field in headers.all("Prefer") { read(field) }
  }

  /// Reads one `Prefer` field.
  package init(_ field: String) { read(field) }

  /// The value of `Preference-Applied` in the response to a post (RFC 7240, 3); `nil` if no preference was applied.
  package var applied: String? {
    var applied = isMinimal ? ["return=minimal"] : []
    if !included.isEmpty { applied.append("include=\"\(included.names)\"") }
    if let addition { applied.append(addition.rawValue) }
    return applied.isEmpty ? nil : applied.joined(separator: ", ")
  }

  /// Calls `take` with the name and the value of each preference of a field. Converts both to lower case, and removes parameters, quotes,
  /// and blanks outside of quotes.
  private mutating func read(_ field: String) {
    var field = field
    field.withUTF8 { bytes in
      withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { text in
        var (count, nameEnd, isParameter, isQuoted, isEscaped) = (0, -1, false, false, false)
        for index in 0...bytes.count {
          let byte = index < bytes.count ? bytes[index] : UInt8(ascii: ",")
          switch byte {
          case _ where isEscaped && index < bytes.count: isEscaped = false
          case UInt8(ascii: "\\") where isQuoted:
            isEscaped = true
            continue
          case UInt8(ascii: ",") where !isQuoted || index == bytes.count:
            let end = nameEnd < 0 ? count : nameEnd
            take(UnsafeRawBufferPointer(rebasing: text[..<end]), UnsafeRawBufferPointer(rebasing: text[end..<count]))
            (count, nameEnd, isParameter, isQuoted) = (0, -1, false, false)
            continue
          case UInt8(ascii: "\""):
            isQuoted.toggle()
            continue
          case UInt8(ascii: ";") where !isQuoted:
            isParameter = true
            continue
          case UInt8(ascii: "=") where !isQuoted && !isParameter && nameEnd < 0:
            nameEnd = count
            continue
          case UInt8(ascii: " ") where !isQuoted, UInt8(ascii: "\t") where !isQuoted: continue
          default: break
          }
          guard !isParameter else { continue }
          text[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
          count += 1
        }
      }
    }
  }

  private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    if name.isEqual(to: "return") {
      let isMinimal = value.isEqual(to: "minimal")
      guard isMinimal || value.isEqual(to: "representation"), given.insert(.response).inserted else { return }
      self.isMinimal = isMinimal
    } else if name.isEqual(to: "wait") {
      guard wait == nil, !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
      wait = Int(String(decoding: value, as: UTF8.self)) ?? .max
    } else if name.isEqual(to: "include") {
      guard given.insert(.included).inserted else { return }
      for word in value.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
        included.formUnion(SessionMembers(lowercased: word))
      }
    } else if name.isEqual(to: "predict"), value.isEmpty {
      predicts = true
    } else if name.isEqual(to: "replica"), value.isEmpty {
      wantsReplica = true
    }
  }
}
