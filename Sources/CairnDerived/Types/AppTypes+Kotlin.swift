import CairnCore

// Writes the types of an app in Kotlin: sealed interfaces with data classes. The generated code needs only the standard library. A step
// returns its params as a map, and a screen is created from a map.
extension AppTypes {
  var kotlin: String {
    var lines = header.map { "// \($0)" } + [""]
    lines += kotlinUnion(
      "Step", "A step that a client may post: its name, and its params as they are sent.", steps, word: "step", isAnswered: false)
    lines += kotlinUnion("Screen", "A screen of the stack, with its params.", screens, word: "screen", isAnswered: true)
    lines += ofFlows.flatMap { kotlinFlows($0, $1, $2) }
    lines += kotlinFacts("Facts", "The facts that a session shows to its client, by their names in the API.", facts)
    lines += kotlinFacts("ClientFacts", "The facts that a session's own client may set.", facts.filter(\.isClients))
    return lines.dropLast().joined(separator: "\n") + "\n"
  }

  private func kotlinUnion(_ name: String, _ about: String, _ shapes: [Shape], word: String, isAnswered: Bool) -> [String] {
    var names = Names(reserved: ReservedWords.kotlin.union(["Other"]))
    let classes = shapes.map { ($0, names.type($0.name)) }
    var lines = ["/** \(about) */", "sealed interface \(name) {", "  val \(word): String"]
    if !isAnswered { lines.append("  val params: Map<String, Any?>") }
    for (shape, title) in classes { lines += kotlinClass(shape, title, of: name, word, isAnswered) }
    if isAnswered {
      lines += ["", "  /** A screen of another version of the definition. */"]
      lines.append("  data class Other(override val \(word): String) : \(name)")
      lines += ["", "  companion object {", "    /** Returns the screen of an entry of the stack. */"]
      lines += ["    fun of(\(word): String, params: Map<String, Any?>): \(name) = when (\(word)) {"]
      for (shape, title) in classes {
        let values = kotlinMembers(shape.fields).map { "\($0.read)" }.joined(separator: ", ")
        lines.append("      \(quoted(shape.name)) -> \(title)\(shape.fields.isEmpty ? "" : "(\(values))")")
      }
      lines += ["      else -> Other(\(word))", "    }", "  }"]
    }
    return lines + ["}", ""]
  }

  private func kotlinClass(_ shape: Shape, _ title: String, of union: String, _ word: String, _ isAnswered: Bool) -> [String] {
    let members = kotlinMembers(shape.fields)
    let values = members.map { "val \($0.name): \($0.type)\($0.type.hasSuffix("?") ? " = null" : "")" }.joined(separator: ", ")
    var lines =
      [""] + Self.rules(of: shape.fields).map { "  // \($0)" } + [
        "  data \(members.isEmpty ? "object \(title)" : "class \(title)(\(values))") : \(union) {"
      ]
    lines.append("    override val \(word): String get() = \(quoted(shape.name))")
    if !isAnswered {
      let pairs = members.map { "\(quoted($0.wire)) to \($0.name)" }.joined(separator: ", ")
      let isFilled = members.contains { $0.type.hasSuffix("?") }
      let map = members.isEmpty ? "emptyMap()" : "mapOf(\(pairs))\(isFilled ? ".filterValues { it != null }" : "")"
      lines.append("    override val params: Map<String, Any?> get() = \(map)")
    }
    return lines + ["  }"]
  }

  private func kotlinFlows(_ name: String, _ about: String, _ shapes: [Shape]) -> [String] {
    var names = Names(reserved: ReservedWords.kotlin)
    let classes = shapes.map { kotlinFacts(names.type($0.name), "Of the flow \($0.name).", $0.fields) }
    return ["/** \(about) */", "object \(name) {"] + Self.nested(classes) + ["}", ""]
  }

  private func kotlinFacts(_ name: String, _ about: String, _ facts: [Field]) -> [String] {
    let members = kotlinMembers(facts)
    guard !members.isEmpty else { return ["/** \(about) */", "object \(name)", ""] }
    return ["/** \(about) */"] + Self.rules(of: facts).map { "// \($0)" } + ["class \(name)(private val values: Map<String, Any?>) {"]
      + members.map { "  val \($0.name): \($0.type) get() = \($0.read.replacing("params[", with: "values["))" } + ["}", ""]
  }

  private typealias KotlinMember = (name: String, wire: String, type: String, read: String)

  private func kotlinMembers(_ fields: [Field]) -> [KotlinMember] {
    var names = Names(reserved: ReservedWords.kotlin.union(["step", "screen", "params", "values"]))
    return fields.map { field in
      let (mark, place) = (field.isOptional ? "?" : "", "params[\(quoted(field.name))]")
      let (type, read) =
        switch field.type.kind {
        case .string: ("String\(mark)", "\(place) as String\(mark)")
        case .integer: ("Long\(mark)", field.isOptional ? "(\(place) as Number?)?.toLong()" : "(\(place) as Number).toLong()")
        case .number: ("Double\(mark)", field.isOptional ? "(\(place) as Number?)?.toDouble()" : "(\(place) as Number).toDouble()")
        case .boolean: ("Boolean\(mark)", "\(place) as Boolean\(mark)")
        case .list: kotlinList(of: field.type.bounds?.item, at: place, mark)
        case .any: ("Any?", place)
        }
      return (names.member(field.name), field.name, type, read)
    }
  }

  /// The type of a list, and the expression that reads it. Each item is converted, because the class of a number depends on the parser.
  private func kotlinList(of item: ParameterDefinition?, at place: String, _ mark: String) -> (type: String, read: String) {
    let (type, read) =
      switch item?.kind {
      case .string: ("String", "it as String")
      case .integer: ("Long", "(it as Number).toLong()")
      case .number: ("Double", "(it as Number).toDouble()")
      case .boolean: ("Boolean", "it as Boolean")
      case .list, .any, nil: ("Any?", "it")
      }
    let list = mark.isEmpty ? "(\(place) as List<*>)" : "(\(place) as List<*>?)?"
    return ("List<\(type)>\(mark)", "\(list).map { \(read) }")
  }

  private func quoted(_ text: String) -> String { text.quoted(escaping: { "\\u\($0.hexadecimal)" }, dollar: "\\$") }
}
