public import CairnCore
import Foundation

/// A request that the service refused (RFC 9457). Decide by `code`: it is stable.
public struct ServiceProblem: Sendable, Decodable {
  public var code: String
  /// HTTP's.
  public var status: Int
  /// The explanation for people, with a valid alternative.
  public var detail: String
  /// Each thing that is wrong with the body or the query.
  public var errors: [Fault]
  /// The actions that can be posted now; after a refusal.
  public var accepts: Acceptance?
  /// Which action of an array was refused, from 0.
  public var index: Int?
  /// The session's revision, where it says something.
  public var revision: Int?
  /// How long the service asks to wait.
  public var retryAfter: Duration?
  /// All of it, as it came.
  public var json: Value

  public struct Fault: Sendable, Hashable, Decodable {
    public var detail: String
    /// Where in the body: a JSON Pointer behind `#`.
    public var pointer: String?
    /// A parameter of the query.
    public var parameter: String?
    /// The line in a definition's file.
    public var line: Int?
    /// The column in a definition's file.
    public var column: Int?
  }

  private enum CodingKeys: String, CodingKey { case code, status, detail, errors, accepts, index, revision }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    code = try members.decode(String.self, forKey: .code)
    status = try members.decode(Int.self, forKey: .status)
    detail = try members.decodeIfPresent(String.self, forKey: .detail) ?? ""
    errors = try members.decodeIfPresent([Fault].self, forKey: .errors) ?? []
    accepts = try? members.decodeIfPresent(Acceptance.self, forKey: .accepts)
    index = try members.decodeIfPresent(Int.self, forKey: .index)
    revision = try members.decodeIfPresent(Int.self, forKey: .revision)
    json = try Value(from: decoder)
  }

  /// An answer with a status from 400 on, also one that something on the way gave.
  init(_ answer: Wire.Answer) {
    if let problem = try? answer.read(as: ServiceProblem.self) {
      self = problem
    } else {
      (code, status, detail) = ("status-\(answer.status)", answer.status, "status \(answer.status), and not from Cairn")
      (errors, json) = ([], .null)
    }
    retryAfter = answer.headers["retry-after"].flatMap { Int($0) }.map { .seconds($0) }
  }

  /// For people, in one line.
  public var text: String {
    let places = errors.map { error in [error.pointer ?? error.parameter, error.detail].compactMap(\.self).joined(separator: ": ") }
    return ([detail.isEmpty ? code : "\(code): \(detail)"] + places).joined(separator: "; ")
  }

  /// The action is not possible now or not of this app: nothing changed, and the session is as it was.
  public var isRefusal: Bool { status == 409 || status == 422 || status == 413 || Self.ofTheApp.contains(code) }

  /// No such session, or not for this secret or key.
  public var isDenial: Bool { !isRefusal && [401, 403, 404].contains(status) }

  private static let ofTheApp: Set<String> = [Refusal.Code.internalStep.rawValue, Refusal.Code.primitivesClosed.rawValue]

  /// Another attempt may do better.
  var isBusy: Bool { Self.isBusy(status, asked: retryAfter) }

  static func isBusy(_ status: Int, asked: Duration?) -> Bool { [502, 503, 504].contains(status) || (status == 429 && asked != nil) }
}
