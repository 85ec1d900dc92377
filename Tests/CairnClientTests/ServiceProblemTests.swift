import CairnAPI
import CairnCore
import CairnTesting
import CairnTransfer
import Foundation
import Testing

@testable import CairnClient

@Suite struct `Problems that the client decodes` {
  private func problem(_ problem: Problem, headers: [String: String] = [:]) throws -> ServiceProblem {
    ServiceProblem(Wire.Answer(status: problem.status, headers: headers, body: Data(try JSONText.bytes(problem))))
  }

  @Test func `a problem has all members of the response`() throws {
    var written = Problem(.invalid, "d", errors: [.init("a", pointer: "#/x"), .init("b", parameter: "y"), .init("c", line: 3, column: 4)])
    written.index = 1
    written.revision = 7
    written.accepts = Acceptance(
      steps: [.init(step: "s", params: ["p": "any"])], primitives: ["pop"], guarded: ["back"], facts: ["f": "any"])
    let read = try problem(written, headers: ["retry-after": "3"])
    #expect(read.code == "invalid" && read.status == 422 && read.detail == "d" && read.index == 1 && read.revision == 7)
    #expect(read.errors.map(\.pointer) == ["#/x", nil, nil] && read.errors.map(\.parameter) == [nil, "y", nil])
    #expect(read.errors.last?.line == 3 && read.errors.last?.column == 4)
    #expect(read.accepts == written.accepts && read.retryAfter == .seconds(3) && read.json["title"] == "Invalid")
    #expect(read.text == "invalid: d; #/x: a; y: b; c")
  }

  @Test func `a response that is not from Cairn has its status as its code`() {
    for body in ["<html>", "", "[]", "{}", #"{"code":1,"status":502}"#] {
      let read = ServiceProblem(Wire.Answer(status: 502, headers: ["retry-after": "soon"], body: Data(body.utf8)))
      #expect(
        read.code == "status-502" && read.status == 502 && read.json == .null && read.errors == [] && read.retryAfter == nil, "\(body)")
    }
  }

  @Test func `a problem without details is described by its code`() throws {
    let read = ServiceProblem(Wire.Answer(status: 503, headers: [:], body: Data(#"{"code":"storage","status":503}"#.utf8)))
    #expect(read.text == "storage" && read.detail == "")
  }

  @Test func `the rejection of an action is a refusal, and not a denial`() throws {
    for code in Refusal.Code.allCases {
      let read = try problem(Problem(Refusal(code, "d")))
      #expect(read.isRefusal && !read.isDenial && !read.isBusy, "\(code)")
    }
  }

  @Test func `a request without permission is denied, and a limited one contains a time to wait`() throws {
    let denials: Set<ProblemCode> = [.unauthorized, .operatorOnly, .crossOrigin, .notFound, .unknownSession, .unknownRevision]
    let busy: Set<ProblemCode> = [.overloaded, .contended, .uncertain, .stopping, .storage]
    for code in ProblemCode.allCases {
      let read = try problem(Problem(code, "d"))
      #expect(read.isDenial == denials.contains(code), "\(code)")
      #expect(read.isBusy == busy.contains(code), "\(code)")
      #expect(
        try problem(Problem(code, "d"), headers: ["retry-after": "1"]).isBusy == (busy.contains(code) || code.status == 429), "\(code)")
    }
  }

  @Test func `the rejection of a late step becomes an unchanged outcome, and any other is thrown`() throws {
    for (code, isLate) in [(Refusal.Code.hidden, true), (.dismissed, true), (.guarded, false), (.notHandled, false)] {
      var written = Problem(Refusal(code, "d"))
      #expect(ActionAnswer(late: try problem(written)) == nil, "without a revision nothing is known")
      written.revision = 4
      let answer = ActionAnswer(late: try problem(written))
      #expect((answer != nil) == isLate, "\(code)")
      if let answer {
        #expect(
          answer.outcome == .unchanged && answer.reason == code.rawValue && answer.revision == 4 && answer.tree == nil && !answer.isPlan)
      }
    }
  }
}

@Suite struct `Errors of the client` {
  @Test(
    arguments: [
      (.timeout, "timeout", true), (.cancelled, "cancelled", false), (.address, "unreachable", true), (.unknownHost, "unreachable", true),
      (.noConnection, "unreachable", true), (.connectTimeout, "unreachable", true), (.broken(hasHead: true), "unreachable", true),
      (.broken(hasHead: false), "unreachable", true), (.notSecure, "unreachable", true), (.failed(7), "unreachable", true),
      (.notHTTP, "malformed", false), (.encoding, "malformed", false), (.headTooLarge(5), "malformed", false),
      (.bodyTooLarge(5), "malformed", false), (.unsendable("header"), "unsendable", false),
    ] as [(TransferFault, String, Bool)]) func `each fault becomes an error`(fault: TransferFault, name: String, mayPass: Bool)
  {
    let error = ClientError(fault)
    #expect("\(error)".hasPrefix(name) && error.mayPass == mayPass && error.problem == nil)
  }

  @Test func `each error is described in one line`() throws {
    let problem = ServiceProblem(Wire.Answer(status: 500, headers: [:], body: Data()))
    #expect(ClientError.refused(problem).text == "status-500: status 500, not from Cairn")
    #expect(ClientError(.noConnection).text == "the service cannot be reached: could not connect to the service")
    #expect(ClientError(.timeout).text == "the service did not respond in time")
    #expect(ClientError(.bodyTooLarge(5)).text == "the response is not a valid response of Cairn: it has more than 5 bytes")
    #expect(ClientError(.unsendable("header")).text == "the request cannot be sent: its header contains characters that HTTP cannot carry")
    #expect(ClientError(.cancelled).text == "cancelled")
  }

  @Test func `a rejection can be retried if the service is busy`() {
    let error = { (status: Int) in ClientError.refused(ServiceProblem(Wire.Answer(status: status, headers: [:], body: Data()))) }
    #expect([500, 502, 503, 504, 429, 409].map { error($0).mayPass } == [false, true, true, true, false, false])
  }
}
