import CairnJournal
import CairnStore

/// The change of an app between two shelves.
enum ShelfChange: Equatable {
  case added(app: String, definition: String)
  case changed(app: String, from: String, to: String)
  /// New sessions of the app cannot be created. Existing sessions continue.
  case removed(app: String)

  /// All changes, sorted by app.
  static func all(from old: Shelf, to new: Shelf) -> [ShelfChange] {
    Set(old.names + new.names).sorted().compactMap { app in
      switch (old.served[app]?.hash, new.served[app]?.hash) {
      case (nil, let hash?): .added(app: app, definition: hash)
      case (_?, nil): .removed(app: app)
      case (let before?, let after?) where before != after: .changed(app: app, from: before, to: after)
      default: nil
      }
    }
  }

  /// The change as text for the log, with the first twelve digits of each hash.
  var text: String {
    switch self {
    case .added(let app, let definition): "\(app) is new, \(definition.prefix(12))"
    case .changed(let app, let from, let to): "\(app) was \(from.prefix(12)), is now \(to.prefix(12))"
    case .removed(let app): "\(app) was removed; its sessions continue, and no new ones can be created"
    }
  }
}
