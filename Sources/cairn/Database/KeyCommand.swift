import ArgumentParser
import CairnSQLite

/// `cairn key`: manages the secret keys of a database.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Shows and changes the secret keys of a database.",
    discussion: """
      The newest key encrypts secrets; the older keys only decrypt them. Keys are identified by fingerprints. The keys are in the file \
      <database>.key. If CAIRN_SECRET_KEY is set instead, rotate there: put the new key before the old ones, separated by commas.
      """,
    subcommands: [List.self, Rotate.self, Prune.self, Forget.self])

  /// `cairn key list`: prints the fingerprints of the keys.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Prints the fingerprints of the keys, the newest first.")
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

  /// `cairn key rotate`: adds a new key before the others.
  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate",
      abstract:
        "Creates a new key. After a restart, the service encrypts with this key, and encrypts existing secrets again in the background."
    )
    @OptionGroup var option: DatabaseOption

    func run() throws {
      try KeyCommand.act(option) { database in
        let keys = try KeyFile.rotate(database)
        let names = keys.map { KeyFile.id(of: $0) }.joined(separator: ", ")
        return "\(KeyFile.path(database)): \(names) (newest first); restart the service, and back up the file"
      }
    }
  }

  /// `cairn key prune`: removes all keys except the newest one, if no secret needs the removed keys.
  struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prune",
      abstract: "Removes all keys except the newest, if it decrypts every secret of the database. Earlier backups need the removed keys.")
    @OptionGroup var option: DatabaseOption

    func run() throws {
      try KeyCommand.act(option) { database in
        guard let newest = try KeyFile.known(setting: nil, database: database)?.first else {
          throw KeyFile.Fault.missing(path: KeyFile.path(database))
        }
        // With only the newest key, the database opens only if every secret is encrypted with that key.
        try SQLiteJournal(inspecting: database, keys: [newest]).close()
        try KeyFile.prune(database)
        return "\(KeyFile.path(database)): all keys except \(KeyFile.id(of: newest)) were removed"
      }
    }
  }

  /// `cairn key forget`: discards the secrets that only a lost key can decrypt.
  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Continues without a lost key: keeps all sessions, but deletes the data that only the lost key can decrypt.",
      discussion: """
        Stop the service first. Sessions keep their trees and histories. Access tokens, authorization codes of token calls and secret params \
        are deleted, so users must log in again. A request that repeats an earlier Idempotency-Key runs again, because only the lost key \
        recognizes it. The deletion can be undone only with the lost key and a backup. Without --yes, the command only reports what would \
        be deleted.
        """)
    @Flag(help: "Deletes the data. Without this option, nothing is changed.") var yes = false
    @OptionGroup var option: DatabaseOption

    func run() throws {
      var isRefused = false
      try KeyCommand.act(option) { database in
        let setting = try option.configuration().secretKey
        let isThere = try KeyFile.known(setting: setting, database: database) != nil
        let keys =
          yes ? try KeyFile.keysAfterLoss(setting: setting, database: database) : try KeyFile.known(setting: setting, database: database)
        let report = try SecretLoss.forget(of: database, keys: keys ?? [], isConfirmed: yes)
        isRefused = !yes
        let count = "\(report.withoutSecrets) of \(report.sessions) sessions"
        guard yes else { return "\(database): \(count) would permanently lose their access token and other secrets; confirm with --yes" }
        let place = isThere ? "the existing key" : KeyFile.path(database)
        return """
          SECRETS DELETED: \(count) have lost their access token and other secrets for good; all sessions remain.
          \(database): encrypted with \(place) (\(report.keyID)) from now on; back up that key
          """
      }
      if isRefused { throw ExitCode(1) }
    }
  }

  private static func act(_ option: DatabaseOption, _ work: (String) throws -> String) throws {
    do {
      Terminal.print(try work(try option.configuration().database))
    } catch let failure as StartFailure {
      throw fail(failure.text)
    } catch let fault as KeyFile.Fault {
      throw fail("\(fault)")
    } catch let fault as BackupFault {
      throw fail("\(fault)")
    } catch SQLiteJournalError.wrongKey {
      throw fail(
        "the newest key does not decrypt all secrets yet; start the service, which encrypts them with it, and run the command again later")
    } catch let error as SQLiteJournalError {
      throw fail("\(error)")
    }
  }
}
