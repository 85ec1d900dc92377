import CairnCore

/// Reads the types of lists: the type of the items, and their minimum and maximum number.
struct ListReader: PartReader {
  let context: ReaderContext

  /// A sentence about the fault of a value. If an item of a list has the fault, the item becomes the subject of the sentence.
  static func sentence(_ what: String, _ fault: String) -> String {
    guard fault.hasPrefix("["), let end = fault.firstIndex(of: "]") else { return "\(what) \(fault)" }
    return "item \(fault[...end]) of \(what)\(fault[fault.index(after: end)...])"
  }

  /// Reads the members `of`, `minItems` and `maxItems`. Returns `nil` after reporting an invalid type of the
  /// items, or the member `in`, which belongs to the items.
  func bounds(_ fields: Fields, of type: ParameterDefinition, _ what: String) -> ValueBounds? {
    if fields["in"] != nil {
      report("`in` has the values of each item: put it into `of`, like `of: { type: string, in: [a, b] }`", at: fields.position(of: "in"))
      return nil
    }
    var item = type.bounds?.item ?? ParameterDefinition(.any)
    if let of = fields["of"] {
      if item.kind != .any {
        report("the type of the items is given twice; write `type: list` next to `of`", at: fields.position(of: "of"))
        return nil
      }
      guard let read = self.item(of, what) else { return nil }
      item = read
    }
    return bounds.ofList(fields, item, type, what)
  }

  /// Reads the type of the items of a list without other bounds. Returns `nil` after reporting an error.
  func bounds(of element: Element, _ what: String) -> ValueBounds? { item(element, what).map { ValueBounds(item: $0) } }

  /// Reads the type of the items. Returns `nil` after reporting a type that items cannot have.
  private func item(_ element: Element, _ what: String) -> ParameterDefinition? {
    guard let item = types.type(element, "an item of \(what)") else { return nil }
    if item.kind == .list {
      report("the items of \(what) cannot be lists; use `any` for lists of lists", at: element.position)
    } else if item.isOptional {
      report("the items of \(what) cannot be optional; leave such items out of the list", at: element.position)
    } else if item.defaultValue != nil {
      report("the items of \(what) cannot have a default; give the list a `default`", at: element.position)
    } else {
      return item
    }
    return nil
  }
}
