import CairnAPI
import CairnCore
import Foundation

// Definitions.
extension CairnClient {
  /// The apps that sessions can be started of: the hash of the definition by name.
  public func apps() async throws(ClientError) -> [String: String] {
    let body = try await wire.send(Wire.Call("GET", "/v1/apps", credential: key)).read(as: AppsBody.self)
    return Dictionary(body.apps.map { ($0.app, $0.definition) }) { $1 }
  }

  /// An app's definition.
  public func app(_ name: String) async throws(ClientError) -> AppDescription {
    try await wire.send(Wire.Call("GET", "/v1/apps/\(name.segment)", credential: key)).read()
  }

  /// Which versions of an app there are, and how many sessions are on each; the operator's to ask.
  public func versions(of app: String) async throws(ClientError) -> [AppVersion] {
    try await wire.send(Wire.Call("GET", "/v1/apps/\(app.segment)/versions", credential: key)).read(as: Versions.self).versions
  }

  private struct Versions: Decodable { var versions: [AppVersion] }

  /// Replaces the definition that new sessions of the app get; needs an operator key. `yaml`: its text, in YAML or JSON. Throws all its
  /// errors at once, with lines and columns: `invalid-definition`.
  @discardableResult
  public func put(_ yaml: String, as app: String) async throws(ClientError) -> PutAnswer {
    var call = Wire.Call("PUT", "/v1/apps/\(app.segment)", credential: key)
    call.body = Data(yaml.utf8)
    call.type = "application/yaml"
    return try await wire.send(call).read()
  }
}
