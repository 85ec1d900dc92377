import CairnRuntime
package import CairnStore

// A failover to a standby, which may not have the newest commits.
extension MemoryJournal {
  /// What a standby has that receives no further commits.
  package struct Standby: Sendable { let contents: Contents }

  /// The contents as they are now.
  package var standby: Standby { Standby(contents: contents.withLock { $0 }) }

  /// Replaces the contents by those of a standby, so that later commits are lost. `isNoticed`: nodes can see that another server answers.
  package func failOver(to standby: Standby, isNoticed: Bool = true) {
    contents.change { contents in
      let server = contents.server + (isNoticed ? 1 : 0)
      contents = standby.contents
      contents.server = server
    }
  }

  package func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges {
    let server = try read { $0.server }
    var page = SessionChanges([], cursor: ChangeCursor(server: server))
    page.isOtherServer = cursor.map { $0.server != server } ?? false
    return page
  }
}
