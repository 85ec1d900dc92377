// Copies parts of a document that was read.
extension JSONWriter {
  /// Writes a member of a document.
  package mutating func copy(_ name: JSONElement, _ value: JSONElement) {
    key(name.decoded)
    copy(value)
  }

  /// Writes a value of a document. Numbers keep their notation.
  package mutating func copy(_ element: JSONElement) {
    switch element.token.kind {
    case .object:
      beginObject()
      for (name, value) in element.members { copy(name, value) }
      endObject()
    case .array:
      beginArray()
      for element in element.elements { copy(element) }
      endArray()
    case .string: string(element.decoded)
    case .number: raw(element.bytes)
    case .yes: bool(true)
    case .no: bool(false)
    case .null: null()
    }
  }
}
