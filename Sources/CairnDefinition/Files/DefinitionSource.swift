import CairnCore

/// The text of a definition with the texts of the files that it includes, parsed and joined. Not yet validated.
package struct DefinitionSource: Sendable {
  /// The texts of the files. Two sources with equal texts are the same definition.
  package let texts: Texts
  /// The element of the whole definition; `nil` if a text cannot be parsed, or if a file cannot be included.
  package let root: Element?
  /// The faults in the texts and the faults found while the files were joined, with their positions.
  let problems: [Problem]

  typealias Problem = (position: Position, message: String)

  /// The texts of a definition.
  package struct Texts: Hashable, Sendable {
    /// The path of the main file, for diagnostics.
    package let file: String
    package let text: String
    /// The included files, in the order in which they are joined.
    package var parts: [Part] = []
    /// The reasons why files could not be included.
    var faults: [String] = []

    /// Whether the definition includes files.
    package var isDivided: Bool { !parts.isEmpty || !faults.isEmpty }

    /// The folder of the main file, as a prefix of the paths of all files.
    package var folder: String { file.lastIndex(of: "/").map { String(file[...$0]) } ?? "" }
  }

  /// An included file.
  package struct Part: Hashable, Sendable {
    /// The path, which begins with the folder of the main file.
    package let file: String
    package let text: String
  }

  /// Parses a single text. Reports `include` as a fault, because a text without a folder cannot include files. `file` is used only in the
  /// diagnostics.
  package init(file: String, text: String) {
    let (root, problems) = Self.parsed(text)
    texts = Texts(file: file, text: text)
    guard let include = root?.include else {
      (self.root, self.problems) = (root, problems)
      return
    }
    self.root = nil
    self.problems = problems + [(include.position, Self.withoutFolder)]
  }

  /// Parses the main file of a definition, and the files that it includes. Reads only from `folder`. `file` is the path of the main file.
  package init(file: String, text: String, in folder: some DefinitionFolder) {
    let (main, problems) = Self.parsed(text)
    var all = Texts(file: file, text: text)
    guard let main, let include = main.include else {
      texts = all
      (root, self.problems) = (main, problems)
      return
    }
    var inclusion = Inclusion(all.folder, folder)
    inclusion.read(include.element.placed(in: file))
    all.parts = inclusion.parts.map(\.part)
    all.faults = inclusion.problems.map(\.message)
    var join = SectionJoin(main.placed(in: file), mainFile: folder.mainFile)
    for part in inclusion.parts { if let root = part.root { join.add(root) } }
    texts = all
    let own: [Problem] = problems.map { ($0.position.placed(in: file), $0.message) }
    self.problems = own + inclusion.problems + join.problems
    root = inclusion.isWhole ? join.root : nil
  }

  /// Parses the canonical text of a stored definition.
  init(stored text: String) {
    (root, problems) = Self.parsed(text, isStored: true)
    texts = Texts(file: "definition", text: text)
  }

  /// Whether the file declares no app. A file without an app is part of another definition, or is invalid.
  package var isPart: Bool { root?.has("app") != true }

  /// The name of the main file of a folder that is one definition.
  package static let mainFile = "app.yaml"

  static func parsed(_ text: String, isStored: Bool = false) -> (root: Element?, problems: [Problem]) {
    var reader = ElementReader()
    let root = reader.read(text, isStored: isStored)
    return (root, reader.problems)
  }

  private static let withoutFolder =
    "`include` needs the folder of the definition's file, and this is a single document; `cairn apps push` joins the files before it publishes "
    + "them, and `cairn apps join` prints them as one document"
}

extension Element {
  /// The member `include` of a definition.
  fileprivate var include: Member? { members?.first { $0.name == "include" } }
}
