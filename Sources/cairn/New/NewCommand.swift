import ArgumentParser
import CairnDefinition
import CairnTemplates

/// `cairn new FOLDER`: creates the folder of a new app.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Creates the folder of a new app.",
    discussion: """
      The app can be tested and served at once. The last part of the path is its name. The folder contains a definition, scenarios, claims, settings, a page that draws a \
      session, a workflow for CI and a README. The folder must not exist, or must be empty.

      Templates:
        blank   two screens on a stack
        tabs    two tabs with a stack each, and a link
        login   a login in front of all other screens, and a link that waits for the login
      """)

  @Argument(help: ArgumentHelp("The folder to create, such as notes.", valueName: "folder"), completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp("The template: blank, tabs or login.", valueName: "name"),
    completion: .list(AppTemplate.allCases.map(\.rawValue)))
  var template = AppTemplate.blank.rawValue

  func run() throws {
    do throws(StartFailure) {
      let new = try NewFolder(folder)
      let files = try chosen().files(app: new.app, schema: DefinitionSchema.text)
      try new.write(files)
      for line in new.report(files) { Terminal.print(line) }
    } catch {
      Terminal.complain("cairn: \(error.text)")
      throw ExitCode(1)
    }
  }

  private func chosen() throws(StartFailure) -> AppTemplate {
    if let template = AppTemplate(rawValue: template) { return template }
    let names = AppTemplate.allCases.map(\.rawValue).joined(separator: ", ")
    throw .tool("there is no template `\(PrintableText.of(template))`; the templates are \(names)")
  }
}
