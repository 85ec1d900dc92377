import CairnTesting
import Testing

/// Sends a post that contains every mistake. Each further request corrects the mistake for which the previous one was rejected.
@Suite struct `Order of checks` {
  private struct Post {
    var path = "/v1/sessions/unknown/actions?unknown"
    var secret: String? = nil
    var type = "text/plain"
    var body = "{"
    var match = "nonsense"
    var key = ""
  }

  @Test func `a post of actions is rejected for one mistake after the other`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    var post = Post()
    var codes: [String] = []
    func send() throws {
      let reply = try workshop.send(
        "POST", post.path, post.body, as: post.secret, type: post.type,
        headers: [("If-Match", post.match), ("Idempotency-Key", post.key)])
      codes.append("\(reply.status) \(reply.code ?? "done")")
    }
    try send()
    post.path = "/v1/sessions/\(session.id)/actions"
    try send()
    post.secret = session.secret
    try send()
    post.type = "application/json"
    try send()
    post.body = #"{"type":"pop","count":"x"}"#
    try send()
    post.body = #"{"step":"nowhere"}"#
    try send()
    post.match = "\"7-0\""
    try send()
    post.key = "\"first\""
    try send()
    (post.match, post.key) = ("*", "\"second\"")
    try send()
    (post.body, post.key) = (#"{"type":"pop"}"#, "\"third\"")
    try send()
    #expect(
      codes == [
        "422 invalid",  // the query
        "401 unauthorized",
        "415 unsupported-media-type",
        "400 not-json",
        "422 invalid",  // members of the action
        "400 bad-request",  // If-Match
        "400 idempotency-key-invalid",
        "412 revision-mismatch",
        "422 invalid",  // the step, which the engine checks
        "200 done",
      ])
  }
}
