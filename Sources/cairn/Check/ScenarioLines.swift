import CairnAPI
import CairnCore

/// A scenario file with one scenario, in which every member and every element is on a separate line. The text is JSON, which is also valid
/// YAML.
struct ScenarioLines {
  private(set) var text: String
  /// The JSON pointers into the scenario, one for each line, in the order of the lines.
  private var pointers = [""]

  /// Creates the lines. A scenario without a name gets a default name. A scenario without an expectation gets an expectation that is always
  /// met.
  init(_ scenario: Value, app: String) {
    var scenario = scenario
    if scenario["name"] == nil { scenario.set("scenario", at: ["name"]) }
    if scenario["then"] == nil, scenario["steps"] == nil, scenario["online"] == nil { scenario.set([:], at: ["then"]) }
    text = "{\"app\":\(Self.json(.string(app))),\"scenarios\":["
    begin("")
    add(scenario, "")
    text += "]}\n"
  }

  /// The JSON pointer of a line; empty if the line does not exist. Lines are counted from 1.
  func pointer(line: Int) -> String { pointers.indices.contains(line - 1) ? pointers[line - 1] : "" }

  private mutating func begin(_ pointer: String) {
    text += "\n"
    pointers.append(pointer)
  }

  private mutating func add(_ value: Value, _ pointer: String) {
    switch value {
    case .object(let members) where !members.isEmpty:
      text += "{"
      for (index, member) in members.sortedByKey.enumerated() {
        let place = "\(pointer)/\(member.key.replacing("~", with: "~0").replacing("/", with: "~1"))"
        if index > 0 { text += "," }
        begin(place)
        text += "\(Self.json(.string(member.key))): "
        add(member.value, place)
      }
      text += "}"
    case .array(let elements) where !elements.isEmpty:
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        begin("\(pointer)/\(index)")
        add(element, "\(pointer)/\(index)")
      }
      text += "]"
    default: text += Self.json(value)
    }
  }

  private static func json(_ value: Value) -> String {
    // A value that was parsed from JSON can be written as JSON.
    let bytes = (try? JSONText.bytes(value)) ?? []
    return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}
