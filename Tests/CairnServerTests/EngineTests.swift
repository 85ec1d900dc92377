import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `The engine for clients` {
  private static let module = String(decoding: Workshop.module, as: UTF8.self)

  @Test func `it is served without credentials, to be kept for a year, and to pages of every origin`() throws {
    let workshop = try Workshop(origins: try #require(AllowedOrigins("https://app.example")))
    for origin in ["https://app.example", "https://other.example"] {
      let reply = try workshop.send("GET", Workshop.engine.path, headers: [("Origin", origin)])
      #expect(reply.status == 200 && reply.text == Self.module)
      #expect(reply.headers["content-type"] == "application/wasm" && reply.headers["content-encoding"] == nil)
      #expect(reply.headers["cache-control"] == "public, max-age=31536000, immutable")
      #expect(reply.headers["access-control-allow-origin"] == "*" && reply.headers["vary"] == "Accept-Encoding")
    }
  }

  @Test func `its name is the beginning of its SHA-256`() throws {
    // The expected name is from: printf '\0asm\1\0\0\0' | sha256sum
    #expect(Workshop.engine.name == "93a44bbb96c75121.wasm")
    let other = try #require(EngineFile(module: Workshop.module + [0], compressed: []))
    #expect(other.name != Workshop.engine.name)
    #expect(EngineFile(module: Array("<html>".utf8), compressed: []) == nil && EngineFile(module: [], compressed: []) == nil)
  }

  @Test func `it is compressed if the client accepts brotli, and HEAD has the same fields`() throws {
    let workshop = try Workshop()
    let accepted: [(String, Bool)] = [
      ("br", true), ("gzip, deflate, br, zstd", true), ("GZIP;q=1.0, BR ; q=0.001", true), ("*", true), ("*;q=0, br", true),
      ("", false), ("gzip", false), ("identity", false), ("br;q=0", false), ("br; q=0.000, *", false), ("*;q=0", false), ("brotli", false),
    ]
    for (text, isCompressed) in accepted {
      for method in ["GET", "HEAD"] {
        let reply = try workshop.send(method, Workshop.engine.path, headers: [("Accept-Encoding", text)])
        #expect(reply.status == 200 && reply.headers["content-encoding"] == (isCompressed ? "br" : nil), "\(method) \(text)")
        let body = isCompressed ? Workshop.compressedModule : Self.module
        #expect(reply.headers["content-length"] == "\(body.utf8.count)" && reply.headers["vary"] == "Accept-Encoding", "\(method) \(text)")
        #expect(reply.text == (method == "GET" ? body : ""), "\(method) \(text)")
      }
    }
  }

  @Test func `codings of several fields are read together`() {
    let codings = AcceptedCodings(["gzip", "br;q=0", " , ;q=1"])
    #expect(codings.contain("gzip") && !codings.contain("br") && !codings.contain("zstd"))
    #expect(!AcceptedCodings([]).contain("br"))
  }

  @Test func `another name is not found, and neither is any name if no engine is served`() throws {
    let (workshop, other) = (try Workshop(), try Workshop(engine: nil))
    for name in ["0000000000000000.wasm", "93A44BBB96C75121.wasm", "93a44bbb96c75121", "93a44bbb96c75121.wasm.br"] {
      let reply = try workshop.send("GET", "/engine/\(name)")
      #expect(reply.status == 404 && reply.code == "not-found", "\(name): \(reply.text)")
    }
    let reply = try other.send("GET", Workshop.engine.path)
    #expect(reply.status == 404 && reply.code == "not-found" && reply.headers["cache-control"] == "no-store")
    let session = try other.session("lab")
    #expect(try session.get("/definition").headers["cairn-engine"] == nil)
  }

  @Test func `a session's definition has its path, also if the client has the definition`() throws {
    let workshop = try Workshop(origins: try #require(AllowedOrigins("https://app.example")))
    let session = try workshop.session("lab")
    let origin = ("Origin", "https://app.example")
    let reply = try session.get("/definition", headers: [origin])
    let again = try session.get("/definition", headers: [origin, ("If-None-Match", try #require(reply.headers["etag"]))])
    #expect(reply.status == 200 && again.status == 304)
    for reply in [reply, again] {
      #expect(reply.headers["cairn-engine"] == Workshop.engine.path)
      #expect(reply.headers["access-control-expose-headers"]?.contains("Cairn-Engine") == true)
    }
    #expect(try workshop.send("GET", try #require(reply.headers["cairn-engine"])).status == 200)
  }

  @Test func `whole sessions have its path if the setting predict lists their app`() throws {
    let (workshop, other) = (try Workshop(), try Workshop(engine: nil))
    let session = try workshop.session("lab")
    let tag = try #require(try session.get().headers["etag"])
    let replies = [session.created, try session.get(), try session.get("?wait=1ms", headers: [("If-None-Match", tag)])]
    #expect(replies.map { $0.headers["cairn-engine"] } == [Workshop.engine.path, Workshop.engine.path, Workshop.engine.path])
    let unlisted = try workshop.session("qiita")
    let unserved = try other.session("lab")
    for reply in [unlisted.created, try unlisted.get(), unserved.created, try unserved.get(), try session.get("/stack")] {
      #expect(reply.status <= 201 && reply.headers["cairn-engine"] == nil)
    }
  }
}
