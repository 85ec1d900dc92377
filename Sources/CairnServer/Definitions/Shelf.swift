import CairnCore
import CairnDefinition
import CairnJournal

/// The served definition of each app, and its origin. A value type, so that each reader sees a consistent state. An app is served with the
/// folder's definition until an operator publishes another definition by a PUT. The operator's definition is then served until the folder's
/// definition changes.
struct Shelf: Sendable {
  /// A definition and its file.
  struct Filed: Sendable {
    var file: String
    var definition: PinnedDefinition
  }

  /// A definition that an operator put.
  struct Put: Sendable {
    var edition: Edition
    var definition: PinnedDefinition
  }

  /// The folder's definitions, by app.
  private(set) var filed: [String: Filed] = [:]
  /// The last definition that an operator put, by app, even if this definition is not served.
  private(set) var put: [String: Put] = [:]
  /// The errors by file, or by the folder's name if the folder could not be read. Each error is formatted as `cairn check` prints it.
  private(set) var faults: [String: [String]] = [:]
  /// The served definition, by app.
  private(set) var served: [String: PinnedDefinition] = [:]
  /// The names of the served apps, sorted.
  private(set) var names: [String] = []

  /// Creates a shelf of definitions that do not come from a folder. If two definitions have the same app, the last one is served.
  init(_ definitions: [PinnedDefinition] = []) {
    for definition in definitions { filed[definition.definition.app] = Filed(file: "", definition: definition) }
    serve()
  }

  /// Whether the served definition of an app was put by an operator.
  func isPut(_ app: String) -> Bool { put[app].map { $0.edition.above == filed[app]?.definition.hash } ?? false }

  /// Serves a put definition instead of the folder's definition of the app.
  mutating func put(_ edition: Edition, _ definition: PinnedDefinition) {
    put[edition.app] = Put(edition: edition, definition: definition)
    serve()
  }

  /// Applies the result of reading the folder. An invalid file leaves its app's definition unchanged. `name` is the folder's name.
  mutating func take(_ reading: FolderReading, of name: String) {
    if let fault = reading.fault {
      faults[name] = [fault]
      return
    }
    faults = [:]
    var found: [String: [Filed]] = [:]
    var broken: Set<String> = []
    for file in reading.files {
      switch file.content {
      case .success(let loaded):
        found[loaded.definition.app, default: []].append(Filed(file: file.name, definition: pinned(loaded)))
      case .failure(let unusable):
        faults[file.name] = unusable.problems
        broken.insert(file.name)
      }
    }
    let before = filed
    filed = [:]
    for (app, all) in found {
      if all.count > 1 { conflict(of: app, all.map(\.file)) }
      filed[app] = all.count == 1 ? all[0] : before[app]
    }
    for (app, old) in before where broken.contains(old.file) && filed[app] == nil { filed[app] = old }
    // A published definition is dropped if the folder's text has changed since the definition was published.
    for (app, now) in filed where put[app].map({ $0.edition.above != now.definition.hash }) ?? false { put[app] = nil }
    serve()
  }

  private mutating func conflict(of app: String, _ files: [String]) {
    for file in files { faults[file] = ["the app \(app) is defined by more than one file: \(files.joined(separator: ", "))"] }
  }

  /// Returns the app's current definition if it has the same hash, so that the text is not compiled again. Its warnings are replaced if
  /// they have moved to other lines.
  private func pinned(_ loaded: LoadedDefinition) -> PinnedDefinition {
    let app = loaded.definition.app
    let known = [filed[app]?.definition, put[app]?.definition].compactMap { $0 }.first { $0.hash == loaded.hash }
    guard let known else { return PinnedDefinition(loaded) }
    return known.doubts == loaded.doubts ? known : PinnedDefinition(known, doubts: loaded.doubts)
  }

  private mutating func serve() {
    served = filed.mapValues(\.definition)
    for (app, put) in put where isPut(app) { served[app] = put.definition }
    names = served.keys.sorted()
  }
}
