import CairnCore
import CairnDefinition
import CairnStore

/// Which definition each app is served with, and why. A value: whoever looks at one sees it whole.
///
/// What the folder says counts, unless an operator put something above just that: then it is what was put, until the folder says something else.
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

  /// What the folder says, by app.
  private(set) var filed: [String: Filed] = [:]
  /// What was put last, by app, in force or not.
  private(set) var put: [String: Put] = [:]
  /// What cannot be used, by file, or of the folder as a whole: each problem as `cairn check` prints it.
  private(set) var faults: [String: [String]] = [:]
  /// What is served, by app.
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

  /// Takes over what a look at the folder found. What cannot be used changes nothing of what was there before. `name`: of the folder.
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
    // What stood above another content is over.
    for (app, now) in filed where put[app].map({ $0.edition.above != now.definition.hash }) ?? false { put[app] = nil }
    serve()
  }

  private mutating func conflict(of app: String, _ files: [String]) {
    for file in files { faults[file] = ["the app \(app) is defined by more than one file: \(files.joined(separator: ", "))"] }
  }

  /// One that is there already needs not be compiled again, also where a comment more moved what is doubtful in it.
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
