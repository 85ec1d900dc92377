/// A template of `cairn new`. Its files are compiled into the binary.
package enum AppTemplate: String, CaseIterable, Sendable {
  /// Two screens on a stack.
  case blank
  /// Two tabs with a stack each, and a link.
  case tabs
  /// A login in front of all other screens, and a link that waits for the login.
  case login

  /// A file of a new app. `path` is relative to the folder of the app.
  package typealias File = (path: String, text: String)

  /// The name of the app in the files of `templates`. The name is valid, so the definitions can be checked there.
  private static let placeholder = "my-app"

  /// Returns the files of a new app in the order of writing. `app` is the app's name, and `schema` is the JSON Schema of definitions.
  package func files(app: String, schema: String) -> [File] {
    let (definition, scenarios) = parts
    let files = [
      ("README.md", PackageResources.readme_md),
      ("config/apps/\(app).yaml", definition),
      ("config/apps/\(app).scenarios.yaml", scenarios),
      ("config/cairn.yaml", PackageResources.settings_yaml),
      ("web/index.html", PackageResources.page_html),
      (".github/workflows/check.yml", PackageResources.workflow_yml),
      (".gitignore", PackageResources.gitignore_txt),
    ]
    let written = files.map { path, bytes -> File in
      (path: path, text: String(decoding: bytes, as: UTF8.self).replacing(Self.placeholder, with: app))
    }
    return written + [(path: "config/app.schema.json", text: schema)]
  }

  private var parts: (definition: [UInt8], scenarios: [UInt8]) {
    switch self {
    case .blank: (PackageResources.blank_yaml, PackageResources.blank_scenarios_yaml)
    case .tabs: (PackageResources.tabs_yaml, PackageResources.tabs_scenarios_yaml)
    case .login: (PackageResources.login_yaml, PackageResources.login_scenarios_yaml)
    }
  }
}
