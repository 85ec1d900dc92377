import CairnCore
import CairnDefinition
import CairnStore

/// The served definition of each app, and the reason. A value: each reader sees it as a whole.
///
/// The folder's text counts, unless an operator has put a definition over exactly that text: then the put one counts, until the folder's
/// text changes.
struct Shelf: Sendable {
  /// A definition and where it stands.
  struct Filed: Sendable {
    var file: String
    var definition: PinnedDefinition
  }

  /// One that an operator put.
  struct Put: Sendable {
    var edition: Edition
    var definition: PinnedDefinition
  }

  /// The folder's definitions, by app.
  private(set) var filed: [String: Filed] = [:]
  /// The last put definition, by app, in force or not.
  private(set) var put: [String: Put] = [:]
  /// The errors, by file, or of the folder as a whole: each as `cairn check` prints it.
  private(set) var faults: [String: [String]] = [:]
  /// The served definition, by app.
  private(set) var served: [String: PinnedDefinition] = [:]
  /// The apps, sorted.
  private(set) var names: [String] = []

  /// Definitions of no folder, by their apps; of two of one app the last counts.
  init(_ definitions: [PinnedDefinition] = []) {
    for definition in definitions { filed[definition.definition.app] = Filed(file: "", definition: definition) }
    serve()
  }

  /// Whether an app is served with what an operator put.
  func isPut(_ app: String) -> Bool { put[app].map { $0.edition.above == filed[app]?.definition.hash } ?? false }

  /// Puts a definition above what the folder says.
  mutating func put(_ edition: Edition, _ definition: PinnedDefinition) {
    put[edition.app] = Put(edition: edition, definition: definition)
    serve()
  }

  /// Takes over the result of reading the folder. Invalid files change nothing. `name`: of the folder.
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
    // A definition that was put over another text is dropped.
    for (app, now) in filed where put[app].map({ $0.edition.above != now.definition.hash }) ?? false { put[app] = nil }
    serve()
  }

  private mutating func conflict(of app: String, _ files: [String]) {
    for file in files { faults[file] = ["the app \(app) is defined by more than one file: \(files.joined(separator: ", "))"] }
  }

  /// Reuses an existing definition without compiling it again, also if a new comment moved the lines of its warnings.
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
