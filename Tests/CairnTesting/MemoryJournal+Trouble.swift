package import CairnJournal
import CairnRuntime

// Simulates a failover to a standby, which may lack the newest commits, and stored data that cannot be read.
extension MemoryJournal {
  /// The contents of a standby that receives no further commits.
  package struct Standby: Sendable { let contents: Contents }

  /// The contents as they are now.
  package var standby: Standby { Standby(contents: contents.withLock { $0 }) }

  /// Replaces the contents by those of a standby, so that later commits are lost. If `isNoticed` is true, nodes detect that another server responds.
  package func failOver(to standby: Standby, isNoticed: Bool = true) {
    contents.change { contents in
      let server = contents.server + (isNoticed ? 1 : 0)
      contents = standby.contents
      contents.server = server
    }
  }

  package func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges {
    try checkFault(of: .changes)
    let server = try read { $0.server }
    var page = SessionChanges([], cursor: ChangeCursor(server: server), isLacking: cursor == nil)
    page.isOtherServer = cursor.map { $0.server != server } ?? false
    return page
  }

  /// Makes reads of definitions and rollouts fail, or succeed again.
  package func failDefinitions(_ isFailing: Bool) { contents.withLock { $0.isUnreadable = isFailing } }

  /// Damages the newest stored edition of an app.
  package func damageEdition(of app: String) { damage(.edition, of: app) }

  /// Damages the stored rollout of an app.
  package func damageRollout(of app: String) { damage(.rollout, of: app) }

  private func damage(_ kind: DocumentKind, of app: String) {
    contents.withLock { contents in
      guard let index = contents.documents.lastIndex(where: { $0.kind == kind && $0.app == app }) else { return }
      contents.documents[index].isIntact = false
    }
  }
}

// Reads the stored data of a session.
extension MemoryJournal {
  /// Everything stored about a session, as text. Empty if nothing is stored.
  package func traces(of session: String) -> [String] {
    contents.withLock { contents in
      [
        contents.records[session].map { "\($0)" }, contents.entries[session].map { "\($0)" },
        contents.secrets[session].map { "\($0)" }, contents.answers[session].map { "\($0)" },
      ].compactMap { $0 }
    }
  }

  /// The secrets of a session.
  package func secrets(of session: String) -> [SecretSlot: String] { contents.withLock { $0.secrets[session] ?? [:] } }
}
