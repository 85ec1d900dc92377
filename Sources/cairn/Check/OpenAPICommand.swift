import ArgumentParser
import CairnAPI
import CairnDefinition
import CairnServer

/// `cairn openapi [FILE]`: prints the OpenAPI document of the service or of an app.
struct OpenAPICommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openapi",
    abstract: "Prints the OpenAPI document of the service or an app.",
    discussion: """
      The document is in OpenAPI 3.1. The service serves the same documents at /openapi.json and /v1/apps/{app}/openapi.json. \
      docs/openapi.md describes them.
      """)

  @Argument(
    help: ArgumentHelp(
      "A definition in YAML or JSON, or a folder with app.yaml. The document then describes the types of the app's steps, screens and facts.",
      valueName: "file"))
  var file: String?

  func run() throws {
    do throws(StartFailure) {
      let loaded = try file.map { (file) throws(StartFailure) in try AppFolder.load(file) }
      let app: AppSchemas?
      do throws(AppSchemas.TooLarge) {
        app = try loaded.map { (loaded) throws(AppSchemas.TooLarge) in try AppSchemas(loaded.definition, hash: loaded.hash) }
      } catch {
        throw StartFailure.tool("the OpenAPI document would exceed \(AppSchemas.sizeLimit >> 20) MiB; make the definition smaller")
      }
      // Encoding cannot fail, because a document contains no numbers that JSON cannot represent.
      let bytes = (try? JSONText.bytes(Document(version: Version.text, commit: Version.commit, app: app).value, pretty: true)) ?? []
      Terminal.print(String(decoding: bytes.dropLast(), as: UTF8.self))
    } catch {
      Terminal.complain(error.text)
      throw ExitCode(1)
    }
  }
}
