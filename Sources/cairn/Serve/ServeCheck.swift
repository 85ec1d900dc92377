import CairnCore
import CairnDefinition
import CairnHTTP
import CairnSQLite
import CairnServer

/// `cairn serve --check`: reports every setting with its source, the apps, the database and its key, and the ports. It starts nothing,
/// writes to no file, and binds each port only for the duration of the check.
struct ServeCheck {
  private let layers: SettingLayers
  private let environment: [String: String]
  /// Whether a start would accept a database that has lost data.
  var acceptsLoss = false
  /// The lines of the report.
  private(set) var lines: [String] = []
  /// All reasons for which a start would fail.
  private(set) var faults: [String] = []

  init(_ layers: SettingLayers, _ environment: [String: String]) {
    self.layers = layers
    self.environment = environment
  }

  /// Runs all checks, even if one of them fails. If the settings are invalid, the other checks do not run, because they depend on the
  /// settings.
  mutating func run() {
    lines.append("settings")
    let shown = Setting.all.map { ($0.name, layers.shown($0)) }.sorted { $0.0 < $1.0 }
    let width = shown.map(\.0.count).max() ?? 0
    let wide = min(40, shown.map(\.1.text.count).max() ?? 0)
    for (name, value) in shown { lines.append("  \(name.padded(to: width))  \(value.text.padded(to: wide))  \(value.source)") }
    let configuration: Configuration
    do {
      configuration = try Configuration(layers)
    } catch {
      return faults.append(error.text)
    }
    lookAtApps(configuration)
    lookAtEngine(configuration)
    lookAtOperators(configuration)
    lookAtDatabase(configuration)
    lookAtPorts(configuration)
    if let warning = DescriptorBudget(configuration, raising: false).warning { lines.append("  warning: \(warning)") }
  }

  private mutating func lookAtApps(_ configuration: Configuration) {
    // Nodes on PostgreSQL read no folder.
    if configuration.usesPostgres { return }
    lines += ["", "apps in \(configuration.apps)"]
    let variable = Setting.forDefinitions(environment)
    var definitions: [LoadedDefinition] = []
    do throws(StartFailure) {
      let folder = AppFolderSource(configuration.apps, configuration.service.definitions, variable)
      definitions = try folder.load()
      try folder.check(definitions)
    } catch {
      faults.append(error.text)
    }
    let width = definitions.map(\.definition.app.count).max() ?? 0
    for loaded in definitions {
      let unset = Set(loaded.definition.variables).filter { variable($0) == nil }.sorted()
      let missing = unset.isEmpty ? "" : "; not set: \(unset.joined(separator: ", "))"
      lines.append("  \(loaded.definition.app.padded(to: width))  \(loaded.hash.prefix(12))\(missing)")
      lines += loaded.warnings.map { "    \($0)" }
    }
    lines += UnknownVariables(in: environment, named: definitions.flatMap(\.definition.variables)).texts.map { "  warning: \($0)" }
  }

  private mutating func lookAtEngine(_ configuration: Configuration) {
    guard let folder = configuration.engine else { return }
    lines += ["", "engine in \(folder)"]
    do throws(StartFailure) {
      lines.append("  \(try EngineFolder.read(folder).path)")
    } catch {
      faults.append(error.text)
    }
  }

  private mutating func lookAtOperators(_ configuration: Configuration) {
    lines += ["", "operators"]
    do {
      let names = try configuration.operators.read().map(\.name)
      lines.append("  " + (names.isEmpty ? "none" : names.joined(separator: ", ")))
      if names.isEmpty, configuration.service.creation == .operatorOnly {
        lines.append("  warning: no session can be created: creation is `operator`, and no operator key is set; set CAIRN_OPERATOR_KEY")
      }
    } catch {
      faults.append(error.text)
    }
  }

  private mutating func lookAtDatabase(_ configuration: Configuration) {
    let path = configuration.database
    lines += ["", "database"]
    if configuration.usesPostgres {
      do throws(StartFailure) {
        lines.append("  \(try DatabaseOpening(configuration).postgresOutlook())")
      } catch {
        faults.append(error.text)
      }
      return
    }
    do {
      lines.append("  \(path) \(try SQLiteJournal.outlook(path))")
    } catch .lost(let path, let loss) where acceptsLoss {
      lines.append("  \(path): \(loss); the service would continue with the remaining data")
    } catch {
      faults.append("\(error)")
    }
    do {
      let keys = try KeyFile.outlook(setting: configuration.secretKey, database: path)
      lines.append("  \(keys)")
    } catch {
      faults.append("\(error)")
    }
  }

  private mutating func lookAtPorts(_ configuration: Configuration) {
    lines += ["", "ports"]
    look(at: configuration.host, configuration.port) { .server($0) }
    if let admin = configuration.admin { look(at: admin.host, admin.port) { .adminServer($0) } }
  }

  private mutating func look(at host: String, _ port: Int, _ failure: (ServerError) -> StartFailure) {
    do {
      try Server.check(host: host, port: port)
      lines.append("  \(host) \(port == 0 ? "any free port" : "\(port), free")")
    } catch {
      faults.append(failure(error).text)
    }
  }
}

extension String {
  /// The text, followed by spaces up to the given width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
