extension ContentEdit: Coded {
  package static var blank: ContentEdit { ContentEdit(path: [], change: .set(.blank)) }

  package static func members<C: Coder & ~Copyable>(_ it: inout ContentEdit, _ coder: inout C) throws(C.Failure) {
    try coder.list("path", &it.path)
    try coder.choose(&it.change, ["set", "add", "remove"], [.set(.blank), .add(.blank), .remove])
    switch it.change {
    case .set(let value): it.change = try .set(coder.coded("set", value))
    case .add(let value): it.change = try .add(coder.coded("add", value))
    case .remove: try coder.mark("remove")
    }
  }
}
