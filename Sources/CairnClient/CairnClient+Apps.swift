import CairnAPI
import CairnCore
import Foundation

// Requests that list and publish apps and their definitions.
extension CairnClient {
  /// Returns the apps for which sessions can be started, as a dictionary from the app's name to the definition's hash.
  public func apps() async throws(ClientError) -> [String: String] {
    let body = try await wire.send(Wire.Call("GET", "/v1/apps", credential: key)).read(as: AppsBody.self)
    return Dictionary(body.apps.map { ($0.app, $0.definition) }) { $1 }
  }

  /// Returns the parts of an app's definition that a client needs.
  public func app(_ name: String) async throws(ClientError) -> AppDescription {
    try await wire.send(Wire.Call("GET", "/v1/apps/\(name.segment)", credential: key)).read()
  }

  /// Returns an app's current and earlier definitions, and the number of sessions that use each. Requires an operator key.
  public func versions(of app: String) async throws(ClientError) -> [AppVersion] {
    try await wire.send(Wire.Call("GET", "/v1/apps/\(app.segment)/versions", credential: key)).read(as: Versions.self).versions
  }

  private struct Versions: Decodable { var versions: [AppVersion] }

  /// Replaces the definition with which new sessions of the app begin. Requires an operator key. `yaml` is the definition's text in YAML or JSON. If it has
  /// errors, throws the problem `invalid-definition`, which contains each error with its line and column.
  @discardableResult
  public func put(_ yaml: String, as app: String) async throws(ClientError) -> PutAnswer {
    var call = Wire.Call("PUT", "/v1/apps/\(app.segment)", credential: key)
    call.body = Data(yaml.utf8)
    call.type = "application/yaml"
    return try await wire.send(call).read()
  }
}
