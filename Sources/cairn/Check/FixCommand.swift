import ArgumentParser
import CairnCore
import CairnDefinition
import Foundation

/// `cairn fix FILE…`: rewrites files from an earlier version of the definition language.
struct FixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fix",
    abstract: "Rewrites definitions and scenarios from an earlier version of the language.",
    discussion: """
      Writes the words of the current version of the language into the files; comments, order and layout stay. A second \
      run changes nothing. A word that it cannot replace stays in the file, and the error of cairn check is printed.

      If a file is named -, standard input is read, and the new text is printed.

      Exits with 0 if every file is valid afterwards, else with 1.
      """)

  @Argument(help: ArgumentHelp("Definitions, scenarios and migrations in YAML or JSON.", valueName: "file"))
  var files: [String]

  @Flag(help: "Changes no file; exits with 1 if one would change.")
  var dryRun = false

  func run() throws {
    var isWrong = false
    for file in files {
      do throws(StartFailure) {
        try isWrong = rewrite(file) || isWrong
      } catch {
        isWrong = true
        Terminal.print(error.text)
      }
    }
    if isWrong { throw ExitCode(1) }
  }

  /// Rewrites a file. Returns whether something is left to do.
  private func rewrite(_ file: String) throws(StartFailure) -> Bool {
    if file == "-" {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      guard let text = String(validating: data, as: UTF8.self), let fix = DefinitionFix(text) else {
        throw .tool("-: is not YAML in UTF-8")
      }
      print(fix.text, terminator: "")
      return false
    }
    guard let fix = DefinitionFix(try AppFolder.text(of: file)) else { throw .tool("\(file): is not YAML; cairn check reports why") }
    guard fix.changes > 0 else {
      Terminal.print("\(file): nothing to rewrite")
      return hasErrors(fix.text, file)
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
    return hasErrors(fix.text, file)
  }

  /// Prints the errors of a definition, which name what could not be decided.
  private func hasErrors(_ text: String, _ file: String) -> Bool {
    guard !AppFolder.holdsScenarios(file), !AppFolder.isMigration(file) else { return false }
    do {
      _ = try AppFolder.check(text, file, .manualClock)
      return false
    } catch {
      Terminal.print(error.text)
      return true
    }
  }
}
