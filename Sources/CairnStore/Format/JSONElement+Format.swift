import CairnCore

// Reads what was written here: what is not as it was written is a fault.
extension JSONElement {
  /// Reads all of some stored bytes with `read`.
  static func reading<Result>(
    _ bytes: [UInt8], _ read: (JSONElement) throws(UnreadableFormat) -> Result
  ) throws(UnreadableFormat) -> Result {
    try JSONDocument.read(bytes, depthLimit: storedDepthLimit, isStored: true, failure: { UnreadableFormat($0) }, read)
  }

  /// Deeper than anything that is let in; a bound for the stack.
  private static var storedDepthLimit: Int { 500 }

  /// So that a `switch` over a name or a word reads as one over texts.
  @inline(__always)
  static func ~= (name: StaticString, member: JSONElement) -> Bool { member.isString(name) }

  /// An object's members.
  func readMembers() throws(UnreadableFormat) -> JSONMembers {
    guard isObject else { throw fault("not an object") }
    return members
  }

  /// An array's elements.
  func readElements() throws(UnreadableFormat) -> JSONElements {
    guard isArray else { throw fault("not an array") }
    return elements
  }

  /// The one value of an object of one member: `{"_0":…}`.
  func readOnly(_ name: StaticString) throws(UnreadableFormat) -> JSONElement {
    var found: JSONElement?
    for (member, value) in try readMembers() {
      guard name ~= member else { throw member.unknown }
      found = value
    }
    guard let found else { throw missing(name) }
    return found
  }

  func readBool() throws(UnreadableFormat) -> Bool {
    guard let bool else { throw fault("not a boolean") }
    return bool
  }

  func readInteger() throws(UnreadableFormat) -> Int {
    guard let integer else { throw fault("not a whole number") }
    return integer
  }

  func readString() throws(UnreadableFormat) -> String {
    guard let string else { throw fault("not a text") }
    return string
  }

  /// nil for null.
  func readOptionalInteger() throws(UnreadableFormat) -> Int? { isNull ? nil : try readInteger() }

  /// nil for null.
  func readOptionalString() throws(UnreadableFormat) -> String? { isNull ? nil : try readString() }

  /// A node by its number.
  func readNode() throws(UnreadableFormat) -> NodeID { NodeID(try readInteger()) }

  /// nil for null.
  func readOptionalNode() throws(UnreadableFormat) -> NodeID? { isNull ? nil : try readNode() }

  /// Nodes by their numbers.
  func readNodes() throws(UnreadableFormat) -> [NodeID] {
    var nodes: [NodeID] = []
    for element in try readElements() { nodes.append(try element.readNode()) }
    return nodes
  }

  func readLink() throws(UnreadableFormat) -> LinkID {
    guard let id = LinkID(try readString()) else { throw fault("not a link's id") }
    return id
  }

  /// All of it. A number with a fraction or an exponent stays one, though its value may be whole.
  var stored: Value { value(isStored: true) }

  /// An object whose names are data.
  func readValues() throws(UnreadableFormat) -> [String: Value] {
    guard let values = dictionary(isStored: true) else { throw fault("not an object") }
    return values
  }

  /// An object whose names are data, and whose values are texts.
  func readTexts() throws(UnreadableFormat) -> [String: String] {
    var texts: [String: String] = [:]
    for (name, value) in try readMembers() { texts[try name.readString()] = try value.readString() }
    return texts
  }

  func fault(_ reason: String) -> UnreadableFormat { UnreadableFormat(reason: "\(reason) at byte \(place)") }

  /// Of a member's name that this version does not know; the name is not shown, since it may be data.
  var unknown: UnreadableFormat { fault("a member of \(string?.utf8.count ?? 0) letters is unknown") }

  func missing(_ member: StaticString) -> UnreadableFormat { fault("\(member) is missing") }
}

extension UnreadableFormat {
  fileprivate init(_ fault: JSONFault) {
    switch fault {
    case .notUTF8: self.init(reason: "not UTF-8")
    case .malformed(let text, let line, let column): self.init(reason: "\(text) at line \(line), column \(column)")
    case .tooDeep: self.init(reason: "too deep")
    case .tooMany: self.init(reason: "too many values")
    // Names may be data, so they are not shown.
    case .repeated(_, let count): self.init(reason: "\(count) members are given twice")
    }
  }
}
