import CairnJournal
import ArgumentParser
import CairnCore
import CairnRuntime
import CairnSQLite
import CairnStore

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// `cairn copy FILE [URL]`: moves a service from SQLite to PostgreSQL.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copies a SQLite database to PostgreSQL.",
    discussion: """
      The schema of the PostgreSQL database must be empty. Sessions keep their ids, secrets, revisions and histories. Stored responses, \
      timers and published definitions are copied too. First stop the service that uses FILE. The command checks FILE like cairn verify. \
      It also checks, with the limits of the settings, whether the service would accept its definitions in a PUT and its sessions in an \
      import. Any finding is printed and prevents the copy; with --accept-findings, only damage does. If a copy is interrupted, run the \
      command again to continue it. Until the copy is complete, no node starts on the schema. The nodes need the service's secret key in \
      CAIRN_SECRET_KEY. If the service did not use that variable, its key is in FILE.key.

      Exits with 0 if the copy is complete, else with 1.
      """)

  @Argument(help: ArgumentHelp("The SQLite database, or a backup of it.", valueName: "file")) var file: String
  @Argument(
    help: ArgumentHelp(
      "URL of the PostgreSQL database, without a password. (default: CAIRN_DATABASE or databaseURLFile, as for cairn serve)",
      valueName: "url"))
  var url: String?
  @Option(help: ArgumentHelp("Configuration file. (default: CAIRN_CONFIG; otherwise config/cairn.yaml if it exists)", valueName: "file"))
  var config: String?

  @Flag(help: "Copies the database even if the check has findings. A damaged session still ends the copy; delete it first.")
  var acceptFindings = false

  @Option(setting: "databaseSchema") var databaseSchema: String?

  func run() throws {
    // Signals take effect only between two commits, so that an interrupted copy can be continued.
    ProcessSignals.block()
    var option = DatabaseOption()
    option.database = url
    option.config = config
    do {
      let configuration = try option.read(schema: databaseSchema)
      guard configuration.usesPostgres else {
        throw StartFailure.tool("the target must be a PostgreSQL database: postgres://user@host:port/database")
      }
      #if canImport(CairnPostgres)
        try copy(configuration)
      #else
        throw DatabaseOpening.noPostgres
      #endif
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let error as KeyFile.Fault {
      throw fail("\(error)")
    } catch is JournalCopy.Interrupted {
      throw fail("interrupted; run the command again to continue")
    } catch let error as SQLiteJournalError {
      throw fail("\(error)")
    } catch let error as JournalError {
      throw fail("\(error); run the command again to continue")
    }
  }

  #if canImport(CairnPostgres)
    private func copy(_ configuration: Configuration) throws {
      guard let keys = try KeyFile.known(setting: configuration.secretKey, database: file) else {
        throw StartFailure.tool("\(KeyFile.path(file)): the secret key is missing; put it there, or set CAIRN_SECRET_KEY")
      }
      try SQLiteJournal.checkUnused(file)
      let source = try SQLiteJournal(inspecting: file, keys: keys)
      defer { source.close() }
      try check(source, configuration)
      let target: PostgresJournal
      do {
        target = try PostgresJournal(
          try DatabaseOpening(configuration).target, keys: keys,
          for: .copy(keys: JournalKeys(derivation: source.derivationKey, hash: source.hashKey.bytes)),
          acceptsLoss: configuration.acceptsLoss,
          version: Version.text)
      } catch let error as PostgresJournalError {
        throw StartFailure.tool("\(error)")
      }
      defer { target.close() }
      let line = ProgressLine(hasLinesElsewhere: true)
      defer { line.end() }
      let total = try line.isTerminal ? source.sessions.count() : nil
      // If an earlier copy was interrupted, the target already has sessions.
      let earlier = try line.isTerminal ? target.sessions.count() : 0
      var copy = JournalCopy(from: source, to: target, while: { !ProcessSignals.arePending }) { sessions, entries in
        line.show("\(Self.counts(sessions, entries)) copied", done: earlier + sessions, of: total)
      }
      let done = try copy.run()
      line.end()
      Terminal.print("\(file): \(Self.counts(done.sessions, done.entries)) copied; the copy is complete")
    }

    private static func counts(_ sessions: Int, _ entries: Int) -> String {
      "\(CountText.of(sessions, "session")) and \(CountText.of(entries, "entry", plural: "entries"))"
    }

    /// Prints the faults in the source's contents. Throws if there are any, unless `--accept-findings` is given.
    private func check(_ source: SQLiteJournal, _ configuration: Configuration) throws {
      let findings: [String]
      do throws(JournalError) {
        findings = try IncomingCheck(configuration, opensSecrets: true).findings(in: source) { !ProcessSignals.arePending }
      } catch {
        if error == .closed { throw StartFailure.tool("interrupted; nothing was copied") }
        throw error
      }
      for line in findings { Terminal.complain(line) }
      guard acceptFindings || findings.isEmpty else {
        let count = CountText.of(findings.count, "finding")
        throw StartFailure.tool(
          "\(file) was not copied: the check has \(count), listed above; --accept-findings copies it anyway, unless a session is damaged")
      }
    }
  #endif
}
