import ArgumentParser
import CairnAPI
import CairnCore
import CairnDefinition

/// `cairn diff OLD NEW`: prints the changes of a new version of a definition, and their consequences for running sessions.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two versions of a definition.",
    discussion: """
      Running sessions stay on the definition with which they began. The command reports what a move to the new definition would mean for \
      them: no effect, different behavior from the next action on, or a part of their state that the new definition does not have.

      Exits with 0 if the new definition has every part of running sessions, with 2 if a part is missing, and with 1 if a file is invalid \
      or the files define different apps.
      """)

  @Argument(
    help: ArgumentHelp("The definition on which the sessions run, in YAML or JSON: a file, or a folder with app.yaml.", valueName: "old"))
  var old: String

  @Argument(help: ArgumentHelp("The new definition, in YAML or JSON: a file, or a folder with app.yaml.", valueName: "new"))
  var new: String

  @Flag(help: "Prints the changes as JSON.")
  var json = false

  @Flag(help: "Prints a draft of a migration document instead, with a line for each change that needs a migration.")
  var migration = false

  func run() throws {
    if migration { return try draft() }
    let diff: DefinitionDiff
    do throws(StartFailure) {
      diff = try compared()
    } catch {
      // The text for an invalid definition has one line per error.
      Terminal.complain(error.text)
      throw ExitCode(1)
    }
    if json {
      // A diff contains no floating-point numbers, so it can always be written as JSON.
      Terminal.print(String(decoding: (try? JSONText.bytes(diff, pretty: true)) ?? [], as: UTF8.self))
    } else {
      print(diff)
    }
    if diff.count(.migration) > 0 { throw ExitCode(2) }
  }

  /// Prints a draft. Its open decisions are marked, so that the draft is not accepted by mistake. A migration is stored beside the new
  /// definition, so the paths in the draft are relative to that definition's folder.
  private func draft() throws {
    do throws(StartFailure) {
      let (before, after) = try sources()
      let names = (old: MigrationFile.path(of: old, beside: new), new: MigrationFile.path(of: new, beside: new))
      Terminal.print(MigrationLoader.draft(from: before, to: after, names: names))
    } catch {
      Terminal.complain(error.text)
      throw ExitCode(1)
    }
  }

  private func compared() throws(StartFailure) -> DefinitionDiff {
    let (before, after) = try sources()
    return DefinitionDiff(from: before, to: after)
  }

  private func sources() throws(StartFailure) -> (old: DefinitionDiff.Source, new: DefinitionDiff.Source) {
    let (before, after) = (try AppFolder.source(old), try AppFolder.source(new))
    let (one, other) = (before.loaded.definition.app, after.loaded.definition.app)
    guard one == other else {
      throw .tool("\(old) defines the app \(one), but \(new) defines \(other); compare two definitions of one app")
    }
    return (before, after)
  }

  private func print(_ diff: DefinitionDiff) {
    for change in diff.changes {
      let places = [(old, change.old), (new, change.new)].compactMap { file, place in place?.text(in: file) }
      let text = change.text.isEmpty ? "" : ": \(change.text)"
      Terminal.print("\(change.kind.rawValue) \(change.subject.rawValue) \(change.name)\(text) (\(places.joined(separator: ", ")))")
      Terminal.print("    \(change.effect == .migration ? "needs a migration: " : "")\(change.consequence)")
    }
    let counts = DefinitionChange.Effect.allCases.map { diff.count($0) }
    Terminal.print(
      diff.changes.isEmpty
        ? "no changes"
        : "\(CountText.of(diff.changes.count, "change")): \(counts[2]) that need a migration, \(counts[1]) of behavior, \(counts[0]) without effect"
    )
  }
}
