import CairnCrypto
import CairnCore

/// Reads and validates definitions in YAML, or in JSON of the same shape. Pure and thread-safe.
package enum DefinitionLoader {
  /// Parses and validates a definition. `name` is used only in the diagnostics; nothing is read from disk. Throws all errors together.
  package static func load(
    file name: String, text: String, limits: DefinitionLimits = DefinitionLimits()
  ) throws(InvalidDefinition) -> LoadedDefinition {
    try load(DefinitionSource(file: name, text: text), limits: limits)
  }

  /// Validates a parsed definition. Throws all errors together.
  package static func load(
    _ source: DefinitionSource, limits: DefinitionLimits = DefinitionLimits()
  ) throws(InvalidDefinition) -> LoadedDefinition {
    try read(source, limits: limits).loaded
  }

  /// Loads a definition with all warnings that static checks can find, such as an unreachable screen. Throws all errors together.
  package static func check(
    file name: String, text: String, limits: DefinitionLimits = DefinitionLimits()
  ) throws(InvalidDefinition) -> LoadedDefinition {
    try check(DefinitionSource(file: name, text: text), limits: limits)
  }

  /// Validates a parsed definition, with all warnings that static checks can find. Throws all errors together.
  package static func check(
    _ source: DefinitionSource, limits: DefinitionLimits = DefinitionLimits()
  ) throws(InvalidDefinition) -> LoadedDefinition {
    var (loaded, element) = try read(source, limits: limits)
    loaded.warnings += Lint.findings(in: loaded.definition, of: element).map { finding in
      Diagnostic(.warning, file: source.texts.file, at: finding.position, finding.message)
    }
    loaded.warnings.sort { $0.precedes($1) }
    return loaded
  }

  /// Loads a stored definition from its canonical text, which is JSON and therefore YAML. The text was accepted before, so it remains readable even if
  /// the checks have become stricter since. Throws all remaining errors together.
  package static func load(canonical: String) throws(InvalidDefinition) -> LoadedDefinition {
    try read(DefinitionSource(stored: canonical), limits: .none, isStored: true).loaded
  }

  private static func read(
    _ source: DefinitionSource, limits: DefinitionLimits, isStored: Bool = false
  ) throws(InvalidDefinition) -> (loaded: LoadedDefinition, element: Element) {
    let (name, element) = (source.texts.file, source.root)
    let context = ReaderContext(limits: limits, isStored: isStored)
    let reader = DefinitionReader(context: context)
    for (position, message) in source.problems { reader.report(message, at: position) }
    let definition = element.flatMap { reader.definition(of: $0) }
    let diagnostics = context.problems.diagnostics(file: name)
    guard let element, let definition, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw InvalidDefinition(diagnostics: diagnostics)
    }
    let canonical = element.value.canonicalText
    if !isStored, let fault = fault(ofWrittenOut: canonical, as: element.value, from: source.texts.text) {
      throw InvalidDefinition(diagnostics: [Diagnostic(.error, file: name, line: 1, column: 1, fault)])
    }
    let hash = Hexadecimal.text(of: SHA256.hash(canonical))
    var loaded = LoadedDefinition(definition: definition, canonical: canonical, hash: hash, warnings: diagnostics)
    if source.texts.isDivided { loaded.folder = source.texts.folder }
    return (loaded, element)
  }

  /// Returns the reason why parsing the canonical text does not produce `value`; `nil` if it does. Sessions reload their definition from
  /// that text, so it must not differ from the file.
  static func fault(ofWrittenOut canonical: String, as value: Value, from text: String) -> String? {
    guard canonical != text else { return nil }
    var reader = ElementReader()
    let again = reader.read(canonical)
    if let problem = reader.problems.first { return "the definition's JSON form cannot be read: \(problem.message)" }
    return again?.value == value ? nil : "the definition's JSON form, when read, gives a different definition"
  }
}
