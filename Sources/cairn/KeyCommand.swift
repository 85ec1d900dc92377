import ArgumentParser
import CairnSQLite

/// `cairn key`: the secret keys of a database.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Shows and changes the secret keys of a database.",
    discussion: """
      The newest key seals tokens; older ones still open what they sealed. Keys are told by names that say nothing of them.
      With CAIRN_SECRET_KEY put the new key before the old ones, separated by commas, instead.
      """,
    subcommands: [List.self, Rotate.self, Prune.self])

  /// `cairn key list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Names the keys, the newest first.")
    @OptionGroup var option: DatabaseOption

    func run() throws {
      try KeyCommand.act(option) { database in
        guard let keys = try KeyFile.known(setting: nil, database: database) else {
          throw KeyFile.Fault.missing(path: KeyFile.path(database))
        }
        return keys.map { KeyFile.id(of: $0) }.joined(separator: "\n")
      }
    }
  }

  /// `cairn key rotate`.
  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate",
      abstract: "Puts a new key before the others. The next start of the service takes it, and seals all secrets anew behind the requests.")
    @OptionGroup var option: DatabaseOption

    func run() throws {
      try KeyCommand.act(option) { database in
        let keys = try KeyFile.rotate(database)
        let names = keys.map { KeyFile.id(of: $0) }.joined(separator: ", ")
        return "\(KeyFile.path(database)): \(names); restart the service, and back the file up"
      }
    }
  }

  /// `cairn key prune`.
  struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prune",
      abstract: "Takes the older keys away, once nothing is sealed with them any more. Backups that were made before need them still.")
    @OptionGroup var option: DatabaseOption

    func run() throws {
      try KeyCommand.act(option) { database in
        guard let newest = try KeyFile.known(setting: nil, database: database)?.first else {
          throw KeyFile.Fault.missing(path: KeyFile.path(database))
        }
        // Opens with the newest key alone only what is sealed with it to the last secret.
        try SQLiteJournal(inspecting: database, keys: [newest]).close()
        try KeyFile.prune(database)
        return "\(KeyFile.path(database)): \(KeyFile.id(of: newest)) alone"
      }
    }
  }

  private static func act(_ option: DatabaseOption, _ work: (String) throws -> String) throws {
    do {
      Terminal.print(try work(try option.configuration().database))
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let fault as KeyFile.Fault {
      throw fail("\(fault)")
    } catch SQLiteJournalError.wrongKey {
      throw fail("not all secrets are sealed with the newest key yet: start the service, and try again a little later")
    } catch let error as SQLiteJournalError {
      throw fail("\(error)")
    }
  }
}
