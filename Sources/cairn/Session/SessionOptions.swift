import ArgumentParser
import CairnClient
import CairnCore
import Foundation

/// The service, the session and the credential of a command. Flags take precedence over variables, and variables over remembered values.
/// The exception is `CAIRN_OPERATOR_KEY`, over which a remembered secret takes precedence.
struct SessionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("URL of the service. (default: CAIRN_URL, the service of the session, or http://127.0.0.1:8080)", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "The session's id, or its name on this machine (--name of session new). (default: CAIRN_SESSION, or the session started last)",
      valueName: "session"),
    completion: SessionCompletion.sessions)
  var session: String?

  @Option(
    help: ArgumentHelp(
      "The session's secret, if it is not stored on this machine. (default: CAIRN_SECRET, which is not visible in the process list)",
      valueName: "secret"))
  var secret: String?

  @Option(
    help: ArgumentHelp("The operator's key, to act as the operator. (default: CAIRN_OPERATOR_KEY, if there is no secret)", valueName: "key")
  )
  var key: String?

  @Flag(help: "Prints the responses of the service, in JSON.")
  var json = false

  /// The retry policy. It has few attempts because a person waits: an unreachable service is reported within a second.
  static let retry = RetryPolicy(attempts: 3)

  static let defaultURL = "http://127.0.0.1:8080"

  /// Returns a client of the service, with the operator key if one is given. Throws if the address is not an HTTP or HTTPS URL.
  func client(_ environment: [String: String] = ProcessInfo.processInfo.environment, of remembered: SessionMemory.Item? = nil) throws
    -> CairnClient
  {
    let text = address(environment, of: remembered)
    guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host()?.isEmpty == false else {
      throw ValidationError("the service's address must be a URL such as \(Self.defaultURL), not \"\(text)\"")
    }
    return CairnClient(url: url, key: key ?? environment.given("CAIRN_OPERATOR_KEY"), retry: Self.retry)
  }

  /// Returns the address of the service. The service of a remembered session is used if neither the flag nor the variable is set.
  func address(_ environment: [String: String] = ProcessInfo.processInfo.environment, of remembered: SessionMemory.Item? = nil) -> String {
    url ?? environment.given("CAIRN_URL") ?? remembered?.url ?? Self.defaultURL
  }

  /// Returns the remembered session on which a command acts (`nil` if the session is not remembered), the id or name that the user gave,
  /// and the remembered sessions.
  func remembered(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> (item: SessionMemory.Item?, wanted: String?, memory: SessionMemory) {
    let wanted = session ?? environment.given("CAIRN_SESSION")
    let memory = SessionMemory.load(environment, url: url ?? environment.given("CAIRN_URL"))
    return (wanted.map { memory.item($0) } ?? memory.last, wanted, memory)
  }

  /// Returns a client of the session, and the remembered session (`nil` if the session is not remembered). Throws if no session is
  /// selected, or if no credential for it is known.
  func target(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> (SessionClient, SessionMemory.Item?) {
    let (remembered, wanted, memory) = remembered(environment)
    guard let id = remembered?.id ?? wanted else {
      let known = memory.sessions.map(\.name).joined(separator: ", ")
      throw ValidationError(
        "no session is selected; start one with cairn session new APP, or set --session"
          + (known.isEmpty ? " and --secret" : "; stored on this machine are \(known)"))
    }
    let secrets = [key, secret, environment.given("CAIRN_SECRET"), remembered?.secret, environment.given("CAIRN_OPERATOR_KEY")]
    guard let secret = secrets.lazy.compactMap(\.self).first else {
      let names = memory.sessions.map(\.name)
      let hint = NearestName.of(id, among: names).map { "; did you mean \($0)?" } ?? ""
      throw SessionExit.Failure(
        .denied,
        "the session \(id) is not stored on this machine"
          + "\(hint.isEmpty ? "; set its --secret or CAIRN_SECRET, or the operator's --key" : hint)")
    }
    return (try client(environment, of: remembered).connect(id: id, secret: secret), remembered)
  }
}

extension [String: String] {
  /// Returns a variable's value, or `nil` if the variable is missing or empty.
  fileprivate func given(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
