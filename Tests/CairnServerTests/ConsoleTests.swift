import CairnConsole
import CairnTesting
import Foundation
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Console pages` {
  @Test func `the console is served without credentials, and its policy allows only this service`() throws {
    let workshop = try Workshop()
    let page = try workshop.send("GET", "/console")
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(
      page.headers["content-security-policy"]
        == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'; "
        + "base-uri 'none'; form-action 'none'"
    )
    #expect(page.headers["referrer-policy"] == "no-referrer" && page.headers["x-content-type-options"] == "nosniff")
    #expect(try workshop.send("HEAD", "/console").headers["content-length"] == page.headers["content-length"])
  }

  @Test func `a console file is revalidated with its entity tag`() throws {
    let workshop = try Workshop()
    let page = try workshop.send("GET", "/console/main.js")
    let tag = try #require(page.headers["etag"])
    #expect(page.headers["cache-control"] == "no-cache" && page.headers["content-type"] == "text/javascript; charset=utf-8")
    let again = try workshop.send("GET", "/console/main.js", headers: [("If-None-Match", tag)])
    #expect(again.status == 304 && again.text.isEmpty && again.headers["etag"] == tag)
    #expect(try workshop.send("GET", "/console/main.js", headers: [("If-None-Match", "\"another\"")]).status == 200)
    #expect(try workshop.send("GET", "/console").headers["etag"] != tag)
  }

  @Test func `every file that the console refers to is served, and no other file`() throws {
    let workshop = try Workshop()
    var named: Set<String> = [""]
    for file in ConsoleFile.all {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let base = file.name.isEmpty ? "/" : "/console/\(file.name)"
      for match in text.matches(of: /(?:from |import\(|src=|href=)"([.a-z\/-]+\.(?:js|css))"/) {
        let path = try #require(URL(string: String(match.1), relativeTo: URL(string: "http://localhost\(base)"))).path
        named.insert(String(path.dropFirst("/console/".count)))
        #expect(try workshop.send("GET", path).status == 200, "\(file.name) names \(match.1)")
      }
    }
    #expect(named == Set(ConsoleFile.all.map(\.name)))
    #expect(try workshop.send("GET", "/console/nothing.js").status == 404)
  }

  @Test func `the scripts of the console insert no markup, load no address and evaluate no script`() {
    for file in ConsoleFile.all {
      let text = String(decoding: file.bytes, as: UTF8.self)
      for word in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "http:", "style=\"", " onclick=\"",
      ] {
        // The XML namespace of SVG is a URL, but no browser requests it.
        #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains(word), "\(file.name): \(word)")
      }
      // Local storage holds payloads, and session storage the secrets of the sessions of a tab.
      #expect(!text.contains("localStorage.") || file.name == "session/shelf.js", "\(file.name)")
      #expect(!text.contains("sessionStorage.") || file.name == "state.js", "\(file.name)")
      #expect(!text.contains("document.cookie"), "\(file.name)")
    }
  }

  @Test func `a disabled console is not found`() throws {
    let workshop = try Workshop(hasConsole: false)
    for path in ["/console", "/console/main.js"] {
      let reply = try workshop.send("GET", path)
      #expect(reply.status == 404 && reply.code == "not-found")
    }
  }
}
