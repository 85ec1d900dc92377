import CairnCore

/// The newest rollout of each app as the journal stores it.
package struct StoredRollouts: Hashable, Sendable {
  /// A row that is damaged, or that this version cannot read.
  package struct Damaged: Hashable, Sendable {
    package var app: String
    /// The version of the row, which a new rollout of the app replaces.
    package var version: Int
    /// The fault as a text for the log.
    package var reason: String

    package init(app: String, version: Int, reason: String) {
      self.app = app
      self.version = version
      self.reason = reason
    }
  }

  /// The rollouts that can be read, sorted by the app's name.
  package var intact: [Rollout] = []
  package var damaged: [Damaged] = []

  package init(intact: [Rollout] = []) { self.intact = intact }

  init(_ documents: [StoredDocument]) {
    var misplaced: [Damaged] = []
    for document in documents {
      let (app, version) = (document.app, document.version)
      let isInPlace = document.kind != nil && document.name.isEmpty
      do throws(UnreadableFormat) {
        let rollout: Rollout = try document.value()
        if document.isIntact, rollout.app == app, rollout.version == version {
          intact.append(rollout)
          continue
        }
        // The damaged part may be the name of the app, the kind, or the document's name, so the rollout may belong to another app than the row.
        if isInPlace { damaged.append(Damaged(app: app, version: version, reason: "the stored rollout differs from what was written")) }
        if !isInPlace || rollout.app != app {
          let place = isInPlace ? "the app \(app)" : "another kind or name"
          misplaced.append(Damaged(app: rollout.app, version: 0, reason: "the rollout is stored under the name \(place)"))
        }
      } catch {
        if isInPlace {
          damaged.append(Damaged(app: app, version: version, reason: error.reason))
        } else if document.kind != nil {
          misplaced.append(Damaged(app: app, version: 0, reason: error.reason))
        }
      }
    }
    // If the app has an intact rollout, that rollout was stored after the damage, so the damage is not reported.
    damaged += misplaced.filter { fault in !intact.contains { $0.app == fault.app } }
  }

  /// The rollout of an app; `nil` if the app has no rollout. Throws `.unreadable` if its row is damaged. Damaged rows of other apps are
  /// ignored.
  package func rollout(of app: String) throws(JournalError) -> Rollout? {
    if let fault = damaged.first(where: { $0.app == app }) { throw .unreadable("the rollout of \(app): \(fault.reason)") }
    return intact.first { $0.app == app }
  }

  /// The version that a change of an app's rollout replaces; 0 if the app has no rollout.
  package func version(of app: String) -> Int {
    intact.first { $0.app == app }?.version ?? damaged.first { $0.app == app }?.version ?? 0
  }
}

/// A rollout to store instead of the app's stored rollout, which must have the version `known`. If the app has no rollout, `known` is 0.
package struct RolloutChange: Hashable, Sendable {
  package var rollout: Rollout
  package var known: Int

  /// Creates a change that gives `rollout` the version after `known` (`DocumentChange.version(after:)`).
  package init(_ rollout: Rollout, after known: Int) {
    self.init(rollout, known: known)
    self.rollout.version = DocumentChange.version(after: known)
  }

  /// Creates a change for a rollout that already has its version.
  package init(_ rollout: Rollout, known: Int) {
    self.rollout = rollout
    self.known = known
  }

  var document: DocumentChange {
    DocumentChange(.rollout, app: rollout.app, name: "", known: known, version: rollout.version, value: rollout)
  }
}

extension DocumentJournal {
  /// The newest rollout of each app. `StoredRollouts.damaged` contains the rows that cannot be read.
  package func rollouts() throws(JournalError) -> StoredRollouts { StoredRollouts(try documents(DocumentQuery(.rollout))) }

  /// Stores a rollout instead of the app's stored rollout. If the stored rollout does not have the version `known`, throws `.outdated` and
  /// stores nothing; 0 means that the app has no rollout.
  package func keep(_ rollout: Rollout, after known: Int) throws(JournalError) {
    try store([RolloutChange(rollout, known: known).document], texts: [:])
  }
}
