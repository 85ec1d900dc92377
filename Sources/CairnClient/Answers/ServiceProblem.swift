public import CairnCore
import Foundation

/// The problem with which the service refused a request (RFC 9457). `code` is stable: use it to distinguish problems.
public struct ServiceProblem: Sendable, Decodable {
  public var code: String
  /// The HTTP status; 0 for a problem that the client itself has found.
  public var status: Int
  /// The explanation for people, with a valid alternative if possible.
  public var detail: String
  /// Each fault of the body or the query.
  public var errors: [Fault]
  /// The actions that can be posted now; `nil` unless an action was refused.
  public var accepts: Acceptance?
  /// The index of the refused action in an array, from 0; `nil` if there was no array.
  public var index: Int?
  /// The session's current revision, if an action was refused or `ifRevision` did not match; otherwise `nil`.
  public var revision: Int?
  /// The first revision that can be read, if the request asked for an earlier one (`history-gone`); otherwise `nil`.
  public var firstRevision: Int?
  /// The response's `Retry-After`; `nil` if there is none.
  public var retryAfter: Duration?
  /// The whole problem as received; `null` if the response was not from Cairn.
  public var json: Value

  public struct Fault: Sendable, Hashable, Decodable {
    public var detail: String
    /// The faulty part of the body, as `#` and a JSON Pointer; `nil` if the fault is elsewhere.
    public var pointer: String?
    /// The name of the faulty query parameter.
    public var parameter: String?
    /// The line in a definition's file.
    public var line: Int?
    /// The column in a definition's file.
    public var column: Int?
  }

  private enum CodingKeys: String, CodingKey { case code, status, detail, errors, accepts, index, revision, firstRevision }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    code = try members.decode(String.self, forKey: .code)
    status = try members.decode(Int.self, forKey: .status)
    detail = try members.decodeIfPresent(String.self, forKey: .detail) ?? ""
    errors = try members.decodeIfPresent([Fault].self, forKey: .errors) ?? []
    accepts = try? members.decodeIfPresent(Acceptance.self, forKey: .accepts)
    index = try members.decodeIfPresent(Int.self, forKey: .index)
    revision = try members.decodeIfPresent(Int.self, forKey: .revision)
    firstRevision = try members.decodeIfPresent(Int.self, forKey: .firstRevision)
    json = try Value(from: decoder)
  }

  /// Creates a problem that this client found itself. Its status is 0.
  init(_ code: String, _ detail: String) {
    (self.code, status, self.detail, errors) = (code, 0, detail, [])
    json = ["code": .string(code), "detail": .string(detail)]
  }

  /// Creates the problem of a response with a status of at least 400. The response may come from a proxy instead of Cairn.
  init(_ answer: Wire.Answer) {
    if let problem = try? answer.read(as: ServiceProblem.self) {
      self = problem
    } else {
      (code, status, detail) = ("status-\(answer.status)", answer.status, "status \(answer.status), not from Cairn")
      (errors, json) = ([], .null)
    }
    retryAfter = answer.headers["retry-after"].flatMap { Int($0) }.map { .seconds($0) }
  }

  /// A message for people, in one line.
  public var text: String {
    let places = errors.map { error in [error.pointer ?? error.parameter, error.detail].compactMap(\.self).joined(separator: ": ") }
    return ([detail.isEmpty ? code : "\(code): \(detail)"] + places).joined(separator: "; ")
  }

  /// Whether the action is invalid, or not possible in this state. The session has not changed.
  public var isRefusal: Bool { status == 409 && !isForgotten || status == 422 || status == 413 || Self.ofTheApp.contains(code) }

  /// Whether the request has already been processed, but its response is no longer stored. Read the session; do not send the request again.
  public var isForgotten: Bool { code == "response-forgotten" }

  /// Whether the session does not exist, or the credential does not give access.
  public var isDenial: Bool { !isRefusal && code != "not-predictable" && [401, 403, 404].contains(status) }

  /// Whether the session no longer exists for this client: the code is `unknown-session`, or the status is 401 (also of a response that is
  /// not from Cairn).
  var endsSession: Bool { status == 401 || code == "unknown-session" }

  private static let ofTheApp: Set<String> = [Refusal.Code.internalStep.rawValue]

  /// Whether a retry of the same request may succeed.
  var isBusy: Bool { Self.isBusy(status, asked: retryAfter) }

  static func isBusy(_ status: Int, asked: Duration?) -> Bool { [502, 503, 504].contains(status) || (status == 429 && asked != nil) }
}
