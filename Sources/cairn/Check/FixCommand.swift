import ArgumentParser
import CairnCore
import CairnDefinition
import Foundation

/// `cairn fix FILE…`: rewrites files from an earlier version of the definition language.
struct FixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fix",
    abstract: "Rewrites files in former words of the language.",
    discussion: """
      Replaces words of earlier versions of the language in definitions, scenarios and migrations by the current words. Comments, order \
      and layout do not change. A second run changes nothing. A word that cannot be replaced stays in the file, and the error of cairn \
      check is printed.

      The files that a definition includes are rewritten too. Declarations of steps are not moved between files.

      If a file is named -, standard input is read, and the new text is printed.

      Exits with 0 if every file is valid afterwards, else with 1.
      """)

  @Argument(
    help: ArgumentHelp("Definitions, scenarios and migrations in YAML or JSON. For a folder, its app.yaml is read.", valueName: "file"))
  var files: [String]

  @Flag(help: "Changes no file; exits with 1 if a file would change.")
  var dryRun = false

  func run() throws {
    var isWrong = false
    for file in files {
      do throws(StartFailure) {
        try isWrong = rewrite(file) || isWrong
      } catch {
        isWrong = true
        Terminal.print(diagnostics: error.text)
      }
    }
    if isWrong { throw ExitCode(1) }
  }

  /// Rewrites a file, and the files that it includes. Returns `true` if a change was not written, or if the definition still has errors.
  private func rewrite(_ file: String) throws(StartFailure) -> Bool {
    if file == "-" {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      guard let text = String(validating: data, as: UTF8.self), let fix = DefinitionFix(text) else {
        throw .tool("-: is not YAML in UTF-8")
      }
      print(fix.text, terminator: "")
      return false
    }
    if AppFolder.holdsScenarios(file) || AppFolder.isMigration(file) {
      return try write(try Self.fix(try AppFolder.text(of: file), file), file)
    }
    let texts = try AppFolder.read(file).texts
    var isLeft = false
    var parts: [DefinitionFix] = []
    for part in texts.parts {
      let fix = try Self.fix(part.text, part.file)
      try isLeft = write(fix, part.file) || isLeft
      parts.append(fix)
    }
    let main = try Self.fix(texts.text, texts.file, parts)
    try isLeft = write(main, texts.file) || isLeft
    if isLeft { return true }
    if main.isPart {
      Terminal.print("\(file): declares no app; if another file includes it, name that file to check the whole definition")
      return false
    }
    return hasErrors(file)
  }

  private static func fix(_ text: String, _ file: String, _ parts: [DefinitionFix] = []) throws(StartFailure) -> DefinitionFix {
    guard let fix = DefinitionFix(text, parts: parts) else { throw .tool("\(file): is not YAML; cairn check reports why") }
    return fix
  }

  /// Writes a rewritten file. Returns `true` if the file would change, but `--dry-run` prevents it.
  private func write(_ fix: DefinitionFix, _ file: String) throws(StartFailure) -> Bool {
    guard fix.changes > 0 else {
      Terminal.print("\(file): nothing to rewrite")
      return false
    }
    let count = CountText.of(fix.changes, "place")
    if dryRun {
      Terminal.print("\(file): would rewrite \(count)")
      return true
    }
    do {
      try Data(fix.text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw .tool("\(file): cannot be written: \(error.localizedDescription)")
    }
    Terminal.print("\(file): \(count) rewritten")
    return false
  }

  /// Prints the errors of a definition, which name the places that could not be rewritten. Returns whether there are errors.
  private func hasErrors(_ file: String) -> Bool {
    do {
      _ = try AppFolder.check(file, .manualClock)
      return false
    } catch {
      Terminal.print(diagnostics: error.text)
      return true
    }
  }
}
