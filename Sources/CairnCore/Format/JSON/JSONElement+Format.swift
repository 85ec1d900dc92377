// Reads stored JSON. Throws for text that the writing code cannot have produced.
extension JSONElement {
  /// Parses stored bytes and passes the root element to `read`.
  package static func reading<Result>(
    _ bytes: [UInt8], _ read: (JSONElement) throws(UnreadableFormat) -> Result
  ) throws(UnreadableFormat) -> Result {
    try JSONDocument.read(bytes, depthLimit: storedDepthLimit, isStored: true, failure: { UnreadableFormat($0) }, read)
  }

  /// The maximum nesting of stored JSON, which bounds the use of the stack. Accepted definitions and requests are nested less deeply.
  private static var storedDepthLimit: Int { 500 }

  /// Whether an element is this string, for a `switch` over the element. Not inlined in a client, where the size of the code matters more
  /// than the time of a comparison.
  #if hasFeature(Embedded)
    @inline(never)
  #else
    @inline(__always)
  #endif
  package static func ~= (name: StaticString, member: JSONElement) -> Bool { member.isString(name) }

  /// The members of an object. Throws for any other value.
  @inline(never) package func readMembers() throws(UnreadableFormat) -> JSONMembers {
    guard isObject else { throw fault("not an object") }
    return members
  }

  /// The elements of an array. Throws for any other value.
  @inline(never) package func readElements() throws(UnreadableFormat) -> JSONElements {
    guard isArray else { throw fault("not an array") }
    return elements
  }

  @inline(never) package func readBool() throws(UnreadableFormat) -> Bool {
    guard let bool else { throw fault("not a boolean") }
    return bool
  }

  @inline(never) package func readInteger() throws(UnreadableFormat) -> WideInt {
    guard let integer else { throw fault("not a whole number") }
    return integer
  }

  @inline(never) package func readString() throws(UnreadableFormat) -> String {
    guard let string else { throw fault("not a string") }
    return string
  }

  /// A text; `nil` for null.
  package func readOptionalString() throws(UnreadableFormat) -> String? { isNull ? nil : try readString() }

  /// The element as a value. A number with a fraction or an exponent remains a floating-point number, even if its value is integral.
  package var stored: Value { value(isStored: true) }

  /// The values of an object whose member names are data.
  package func readValues() throws(UnreadableFormat) -> [String: Value] {
    guard let values = dictionary(isStored: true) else { throw fault("not an object") }
    return values
  }

  /// The texts of an object whose member names are data.
  package func readTexts() throws(UnreadableFormat) -> [String: String] {
    var texts: [String: String] = [:]
    for (name, value) in try readMembers() { texts[try name.readString()] = try value.readString() }
    return texts
  }

  @inline(never) package func fault(_ reason: String) -> UnreadableFormat { UnreadableFormat(reason: "\(reason) at byte \(place)") }

  /// The error for a member that this version does not know. The name is not included, because it may be data.
  @inline(never) package var unknown: UnreadableFormat { fault("a member whose name has \(string?.utf8.count ?? 0) bytes is unknown") }

  @inline(never) package func missing(_ member: StaticString) -> UnreadableFormat { fault("\(member) is missing") }
}

extension UnreadableFormat {
  fileprivate init(_ fault: JSONFault) {
    switch fault {
    case .notUTF8: self.init(reason: "not UTF-8")
    case .malformed(let text, let line, let column): self.init(reason: "\(text) at line \(line), column \(column)")
    case .tooDeep: self.init(reason: "nested too deeply")
    case .tooMany: self.init(reason: "too many values")
    // Member names may be a user's data, so the message does not contain them.
    case .repeated(_, let count): self.init(reason: "\(count) names of members are repeated")
    }
  }
}
