package import CairnCore

/// The changes from one definition of an app to another, and their consequences for running sessions.
package struct DefinitionDiff: Hashable, Sendable {
  /// A definition with the root element of its file, from which the positions of the changes are taken.
  package struct Source: Sendable {
    package let loaded: LoadedDefinition
    package let root: Element

    package init(_ loaded: LoadedDefinition, root: Element) {
      self.loaded = loaded
      self.root = root
    }

    /// Creates the source of a stored definition, of which only the canonical text is known. The positions
    /// refer to that text. Throws if the text cannot be read.
    package init(_ loaded: LoadedDefinition) throws(InvalidDefinition) {
      self.init(loaded, root: try Document.read(file: loaded.hash, text: loaded.canonical))
    }
  }

  /// The hashes of both definitions.
  package let old, new: String
  /// The changes, sorted by subject and then by name.
  package let changes: [DefinitionChange]

  package init(from old: Source, to new: Source) {
    self.old = old.loaded.hash
    self.new = new.loaded.hash
    var comparison = DefinitionComparison(old, new)
    comparison.run()
    let order = Dictionary(uniqueKeysWithValues: DefinitionChange.Subject.allCases.enumerated().map { ($1, $0) })
    // Changes of one part keep the order in which they were found.
    changes = comparison.changes.enumerated().sorted { a, b in
      let (one, other) = (a.element, b.element)
      return (order[one.subject] ?? 0, one.name, a.offset) < (order[other.subject] ?? 0, other.name, b.offset)
    }.map(\.element)
  }

  /// The number of changes with the given effect.
  package func count(_ effect: DefinitionChange.Effect) -> Int { changes.count { $0.effect == effect } }
}

/// The JSON form: the hashes, and the changes with their positions.
extension DefinitionDiff: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("changes", changes)
    writer.member("new", new)
    writer.member("old", old)
    writer.endObject()
  }
}

extension DefinitionChange: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("change", kind.rawValue)
    writer.member("consequence", consequence)
    writer.member("effect", effect.rawValue)
    writer.member("name", name)
    writer.member("new", ifPresent: new)
    writer.member("old", ifPresent: old)
    writer.member("subject", subject.rawValue)
    writer.member("text", ifPresent: text.isEmpty ? nil : text)
    writer.endObject()
  }
}

extension Position: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("column", column)
    writer.member("file", ifPresent: file)
    writer.member("line", line)
    writer.endObject()
  }
}
