import ArgumentParser
import CairnCore
import CairnDefinition
import CairnJournal
import CairnServer
import Foundation

/// `cairn apps`: publishes the definitions of files to a database that several nodes share, and joins the files of a definition.
struct AppsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps",
    abstract: "Publishes definitions, or joins their files.",
    discussion: "Definitions are published to the nodes on a PostgreSQL database. The files of a definition are joined into one document.",
    subcommands: [Push.self, Join.self])

  /// `cairn apps push`: publishes the definitions of a folder.
  struct Push: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "push",
      abstract: "Publishes the definitions in a folder, or one definition; a step of a deployment.",
      discussion: """
        A definition with include, or a folder in the folder with app.yaml, is joined into one document before it is published.
        All nodes on the database serve the new definitions to new sessions. A definition that is already the newest of its app is not \
        published again, so a second push changes nothing. The secret key must be the key of the nodes (CAIRN_SECRET_KEY).
        Exits with 0 if all definitions are published. Exits with 1 if a definition is invalid or the database cannot be used; nothing is \
        then published. With --dry-run it exits with 2 if a push would publish something.
        """)
    @Argument(help: ArgumentHelp("The folder of the definitions, or the file of one definition.", valueName: "folder")) var folder: String
    @OptionGroup var option: SharedDatabaseOption
    @Flag(help: "Prints what a push would publish, without publishing it.") var dryRun = false

    func run() throws {
      let changes: Int
      do throws(StartFailure) {
        let configuration = try option.read()
        guard configuration.usesPostgres else {
          throw .tool("a push is only for nodes on PostgreSQL; on SQLite, `cairn serve` reads the folder itself (--apps)")
        }
        let source = AppFolderSource(folder, configuration.service.definitions, { _ in nil })
        let definitions = try source.load().sorted { $0.definition.app < $1.definition.app }
        let journal = try DatabaseOpening(configuration).journal { _ in }
        defer { journal.close() }
        changes = try push(definitions, to: journal)
      } catch {
        throw fail(error.text)
      }
      if dryRun, changes > 0 { throw ExitCode(2) }
    }

    /// Publishes all changed definitions in one commit, unless it is a dry run. Returns the number of changed definitions.
    private func push(_ definitions: [LoadedDefinition], to journal: any Journal) throws(StartFailure) -> Int {
      do throws(JournalError) {
        let newest = Dictionary(try journal.documents.editions().intact.map { ($0.app, $0) }) { $1 }
        var changed: [LoadedDefinition] = []
        for loaded in definitions {
          let before = newest[loaded.definition.app]
          // A definition that is missing or damaged in the database is published again.
          let stored = try journal.documents.definition(loaded.hash)
          let isSame = before?.definition == loaded.hash && stored == loaded.canonical
          if !isSame { changed.append(loaded) }
          let change = before == nil ? "new" : isSame ? "unchanged" : "changed"
          Terminal.print("\(loaded.definition.app)  \(loaded.hash.prefix(12))  \(change)")
        }
        guard !dryRun, !changed.isEmpty else { return changed.count }
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let author = "push by \(NSUserName())"
        try journal.documents.publish(
          changed.map { Edition(app: $0.definition.app, definition: $0.hash, since: now, author: author) },
          texts: Dictionary(changed.map { ($0.hash, $0.canonical) }) { $1 }, after: newest)
        return changed.count
      } catch {
        throw .tool("\(error)")
      }
    }
  }

  /// `cairn apps join`: prints a definition with the files that it includes as one document.
  struct Join: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "join",
      abstract: "Prints a definition with the files that it includes as one JSON document, for PUT /v1/apps/{app}.",
      discussion: "The document has the same hash as the files. Exits with 1 if the definition is invalid.")
    @Argument(help: ArgumentHelp("A definition in YAML or JSON, or a folder with app.yaml.", valueName: "file")) var file: String

    func run() throws {
      do throws(StartFailure) {
        Terminal.print(try AppFolder.load(file).canonical)
      } catch {
        throw fail(error.text)
      }
    }
  }
}
