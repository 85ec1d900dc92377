package import CairnCore
import Foundation

/// Bytes of a request's body as a value.
package enum JSONBody {
  /// Objects and arrays inside each other at most: what is kept of it has to be read again from deeper inside a state.
  package static let depthLimit = 64

  /// Reads UTF-8 JSON (RFC 8259) of any kind at the top. A member that is given twice is `invalid`: readers disagree which one counts.
  package static func read(_ bytes: [UInt8]) throws(BodyFault) -> Value {
    guard !bytes.isEmpty else { throw .notJSON("the body is empty; it must be JSON") }
    // A zero byte would make the decoder take the text for UTF-16.
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw .notJSON("the body must be JSON in UTF-8")
    }
    let value: Value
    do {
      value = try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      throw .notJSON("the body must be JSON: \(reason(of: error))")
    }
    var scan = MemberScan(bytes)
    let repeated = scan.repeatedMembers()
    guard !scan.hasLooseComma else { throw .notJSON("the body must be JSON: a comma stands before a closing bracket") }
    guard scan.depth <= depthLimit else { throw .notJSON("the body must not be nested deeper than \(depthLimit)") }
    guard repeated.isEmpty else {
      throw .invalid(repeated.map { Refusal.Fault(pointer: $0, detail: "is given twice; give it once") })
    }
    return value
  }

  private static func reason(of error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "it cannot be read" }
    let text = (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
    return text ?? context.debugDescription
  }
}
