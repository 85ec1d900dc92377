import CairnCore

/// The members that a map of the language may have. The reader of definitions and the schema for editors share these tables, so both accept the same
/// names.
struct MemberTable: Sendable {
  let members: [Member]
  /// The names of which exactly one must be present; empty if there is no such rule.
  var alternatives: [String] = []
  /// The former names of members, from earlier versions of the language.
  var former: [Former] = []

  struct Member: Sendable {
    let name: String
    let shape: Shape
    /// A description for authors, shown by their editor.
    let about: String
    var isRequired = false
    /// The way in which the member of an included file is joined with the same member of the main file; `nil` if only the main file may
    /// have the member.
    var joining: Joining?

    init(_ name: String, _ shape: Shape, _ about: String, isRequired: Bool = false) {
      self.name = name
      self.shape = shape
      self.about = about
      self.isRequired = isRequired
    }

    /// Returns this member as one that included files may also have.
    func joined(_ joining: Joining) -> Member {
      var member = self
      member.joining = joining
      return member
    }
  }

  /// The ways in which the sections of a definition's files join.
  indirect enum Joining: Sendable {
    /// The maps of all files are joined by name. Each name may occur only once.
    case map
    /// The lists of all files are joined in the order of the files.
    case list
    /// Each member of the maps is joined according to its row in this table.
    case members(MemberTable)
  }

  /// A name of an earlier version of the language. Only `cairn fix` accepts such a name.
  struct Former: Sendable {
    let name: String
    /// The name that replaces the former name; `nil` if more than the name has changed.
    var newName: String?
    /// The shape of the former member's value.
    let shape: Shape
    /// The remedy: an instruction that shows how to write the member now.
    let remedy: String

    /// Creates a name that was replaced by another name, while the form of the value stayed the same.
    static func renamed(_ name: String, to newName: String, _ shape: Shape, _ remedy: String? = nil) -> Former {
      Former(name: name, newName: newName, shape: shape, remedy: remedy ?? "write `\(newName)`")
    }

    init(_ name: String, _ shape: Shape, _ remedy: String) { self.init(name: name, shape: shape, remedy: remedy) }

    private init(name: String, newName: String? = nil, shape: Shape, remedy: String) {
      self.name = name
      self.newName = newName
      self.shape = shape
      self.remedy = remedy
    }
  }

  init(_ members: Member..., alternatives: [String] = [], former: [Former] = []) {
    self.init(members, alternatives: alternatives, former: former)
  }

  init(_ members: [Member], alternatives: [String] = [], former: [Former] = []) {
    self.members = members
    self.alternatives = alternatives
    self.former = former
  }

  /// The members that an included file may have.
  var joined: [Member] { members.filter { $0.joining != nil } }

  var names: [String] { members.map(\.name) }
  var required: [String] { members.filter(\.isRequired).map(\.name) }
}

/// The allowed value of a member, as far as an editor can check it without the file's own names.
indirect enum Shape: Sendable {
  /// Any value. Strings in it may be `$references`.
  case any
  case text
  /// A string that matches a regular expression. The expression must mean the same in JSON Schema and in Swift.
  case pattern(String)
  case flag
  case null
  case number
  case whole(atLeast: Int)
  case word([String])
  case constant(Value)
  case list(of: Shape, atLeast: Int = 0)
  /// A map with names that the author chooses. `beside` lists the members with fixed names that it may have in addition.
  case map(of: Shape, atLeast: Int = 0, beside: [MemberTable.Member] = [])
  case object(MemberTable)
  case oneOf([Shape])
  case shared(SharedShape)

  /// A word that is one of the raw values of an enum.
  static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Shape where Word.RawValue == String {
    .word(type.allCases.map(\.rawValue))
  }

  /// A single value of the shape, or a list of values of this shape.
  static func oneOrMore(_ shape: Shape, atLeast: Int = 0) -> Shape { .oneOf([shape, .list(of: shape, atLeast: atLeast)]) }

  static func orNull(_ shape: Shape) -> Shape { .oneOf([shape, .null]) }

  static let duration = Shape.pattern(#"^[0-9][0-9.]*(ms|s|m|h|d)$"#)
  static let reference = Shape.pattern(#"^\$"#)
  static let environmentName = Shape.pattern("^[A-Za-z_][A-Za-z0-9_]*$")
}

/// The words that a file may use only if its `compat` lists them. They reproduce the behavior of another navigation system; new apps do not
/// need them.
enum CompatWord: String, CaseIterable, Sendable {
  case adapt, end, listen, show

  /// The remedy: an instruction that shows what to write instead in a new app.
  var remedy: String {
    switch self {
    case .adapt: "write a branch in `handle` that sends the other step"
    case .end: "write `finish`, and `then` where the flow is created"
    case .listen: "let the flow handle the step instead of the hidden screen"
    case .show: "write `set: FLOW`, and send the flow a step"
    }
  }
}
