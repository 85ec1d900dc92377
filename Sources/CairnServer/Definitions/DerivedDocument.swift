import CairnAPI
import CairnCore
import CairnDefinition
import CairnDerived
import CairnJournal

/// A document that is computed from a definition.
enum DerivedDocument: Hashable, Sendable {
  /// The OpenAPI document with the app's schemas.
  case openAPI
  case graph(GraphFormat)
  /// The report of `cairn check`. `doubts` are the warnings with lines of the definition's file; `nil` if the definition was not read from
  /// a file.
  case check(doubts: [PinnedDefinition.Doubt]?)
  /// The parts of the definition that a client needs.
  case description
  /// The definition in the form that an engine in a client reads.
  case travelling
  /// The app's links, and the link that matches `url`. `isRedirect` is whether the OAuth provider redirects to `url`.
  case links(url: String?, isRedirect: Bool)

  /// Whether the document is cached. A document for a URL is not cached, because clients can choose any number of URLs.
  var isKept: Bool { if case .links(let url, _) = self { url == nil } else { true } }

  /// The reason why a document cannot be made.
  enum Fault: Error {
    /// The document would have more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The document contains a number that JSON cannot represent.
    case unwritable
  }

  /// Encodes the document of a definition. `version` is the service's version; `commit` is the commit of its build, if it is known. An
  /// app's schemas and its graph can be much larger than the definition's text, so their sizes are limited while they are created.
  func bytes(of pinned: PinnedDefinition, version: String, commit: String? = nil, pretty: Bool) throws(Fault) -> [UInt8] {
    do {
      return try text(of: pinned, version: version, commit: commit, pretty: pretty)
    } catch is AppSchemas.TooLarge {
      throw .tooLarge(limit: AppSchemas.sizeLimit)
    } catch is Graph.TooLarge {
      throw .tooLarge(limit: Graph.sizeLimit)
    } catch {
      throw .unwritable
    }
  }

  private func text(of pinned: PinnedDefinition, version: String, commit: String?, pretty: Bool) throws -> [UInt8] {
    let (definition, hash) = (pinned.definition, pinned.hash)
    switch self {
    case .openAPI:
      return try JSONText.bytes(Document(version: version, commit: commit, app: AppSchemas(definition, hash: hash)).value, pretty: pretty)
    case .graph(.json): return try JSONText.bytes(GraphBody(Graph(definition), hash: hash), pretty: pretty)
    case .graph(.mermaid): return Array(try Graph(definition).mermaid.utf8)
    case .graph(.dot): return Array(try Graph(definition).dot.utf8)
    case .check(let doubts):
      let warnings =
        doubts?.map { CheckBody.Warning($0.message, file: $0.file, line: $0.line, column: $0.column) } ?? pinned.warningsWithoutLines
      return try JSONText.bytes(CheckBody(app: definition.app, definition: hash, warnings: warnings), pretty: pretty)
    case .description: return try JSONText.bytes(AppBody(definition, hash: hash), pretty: pretty)
    case .travelling: return DefinitionFormat.bytes(definition)
    case .links(let url, let isRedirect):
      return try JSONText.bytes(LinksBody(definition, hash: hash, url: url, isRedirect: isRedirect), pretty: pretty)
    }
  }
}

extension PinnedDefinition {
  /// The warnings of a definition that was not read from a file. Its text is checked again without limits, because it was accepted before.
  fileprivate var warningsWithoutLines: [CheckBody.Warning] {
    let checked = try? DefinitionLoader.check(file: definition.app, text: text, limits: .none)
    return checked?.warnings.map { CheckBody.Warning($0.message) } ?? []
  }
}
