import CairnCore
import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `The definition for an engine in a client` {
  @Test func `the session's secret gets it, as an engine reads it, and once`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let reply = try session.get("/definition")
    #expect(reply.status == 200 && reply.headers["content-type"] == "application/json")
    #expect(reply.headers["cache-control"] == "private, no-cache")
    #expect(reply.headers["vary"]?.contains("Authorization") == true)
    let definition = try DefinitionFormat.read(Array(reply.text.utf8))
    #expect(definition.app == "lab" && DefinitionFormat.bytes(definition) == Array(reply.text.utf8))
    #expect(!reply.text.contains("LAB_CITY"))
    let tag = try #require(reply.headers["etag"])
    let path = "/v1/sessions/\(session.id)/definition"
    #expect(try workshop.send("GET", path, as: session.secret, headers: [("If-None-Match", tag)]).status == 304)
    #expect(try workshop.send("GET", path, as: session.secret, headers: [("If-None-Match", "\"x\"")]).text == reply.text)
  }

  @Test func `only the apps of the setting have it`() throws {
    let listed = try #require(PredictableApps("shop, lab"))
    #expect(listed.contains("lab") && listed.contains("shop") && !listed.contains("qiita") && !listed.contains("*"))
    #expect(try #require(PredictableApps("*")).contains("qiita"))
    #expect(PredictableApps("") == PredictableApps() && !PredictableApps().contains(""))
    #expect(PredictableApps("*, lab") == nil)
    let workshop = try Workshop(predictable: PredictableApps())
    for key in [try workshop.session("lab").secret, Workshop.operatorKey] {
      let session = try workshop.session("lab")
      let reply = try workshop.send("GET", "/v1/sessions/\(session.id)/definition", as: key == Workshop.operatorKey ? key : session.secret)
      #expect(reply.status == 404 && reply.code == "not-predictable")
    }
  }
}
