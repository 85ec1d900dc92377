import CairnJournal
import CairnServer
import Testing

@Suite struct `Tags of revisions` {
  @Test func `a tag is a revision and eight digits, or a bare revision that matches any entry of that number`() throws {
    let tag = RevisionTag(7, hash: 0x5f3a_9c21_0000_0001)
    #expect(tag.description == "7-5f3a9c21" && RevisionTag("7-5f3a9c21") == tag)
    #expect(RevisionTag(12, hash: 1).description == "12-00000000")
    #expect(RevisionTag("7")?.matches(tag) == true && tag.matches(tag))
    #expect(RevisionTag("8")?.matches(tag) == false && RevisionTag("7-5f3a9c22")?.matches(tag) == false)
    for text in ["", "-", "7-", "07", "+7", "-7", "7-5f3a9c2", "7-5F3A9C21", "7-5f3a9c211", "7-5f3a9c2g", "7-5f3a9c21-", "x-5f3a9c21"] {
      #expect(RevisionTag(text) == nil, "\(text)")
    }
  }

  /// After a restore, a revision that a client has seen may exist again, but with another entry.
  @Test func `the tag of a revision that was lost in a restore matches nowhere`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    for number in 2...4 { #expect(try session.act(#"{"step":"go","params":{"n":\#(number)}}"#).status == 200) }
    let tag = try session.get().tag
    let lost = String(tag.dropLast()) + (tag.hasSuffix("0") ? "1" : "0")

    #expect(try session.get(headers: [("If-None-Match", "\"\(tag)\"")]).status == 304)
    #expect(try session.get(headers: [("If-None-Match", "\"\(lost)\"")]).status == 200)
    #expect(try session.get(headers: [("If-None-Match", "\"4\"")]).status == 200, "a bare revision is no copy of it")
    #expect(try session.get("?wait=30s", headers: [("If-None-Match", "\"\(lost)\"")]).status == 200, "at once")

    let push = #"{"step":"go","params":{"n":1}}"#
    let refused = try session.act(push, headers: [("If-Match", "\"\(lost)\"")])
    #expect(refused.status == 412 && refused.tag == tag && refused.revision == 4)

    #expect(try session.listen(headers: [("Last-Event-ID", lost)]).next()?.name == "reset")
    let older = try session.get("?revision=2").tag
    #expect(older.hasPrefix("2-"))
    #expect(try session.listen(headers: [("Last-Event-ID", older)]).next()?.taggedRevision == 3)
    let other = String(older.dropLast()) + (older.hasSuffix("0") ? "1" : "0")
    let reset = try session.listen(headers: [("Last-Event-ID", other)]).next()
    #expect(reset?.name == "reset" && reset?.id == tag)

    #expect(try session.act(push, headers: [("If-Match", "\"\(tag)\"")]).revision == 5)
    #expect(try session.act(push, headers: [("If-Match", "\"5\"")]).revision == 6, "a bare revision compares the revision alone")
  }

  @Test func `the id of an event is the entity tag of GET, and is valid in If-Match`() throws {
    let session = try Workshop().session("lab")
    let client = try session.listen()
    #expect(try client.next()?.id == session.created.tag)
    let acted = try session.act(#"{"step":"go","params":{"n":2}}"#)
    let id = try #require(try client.next()?.id)
    #expect(try id == acted.tag && id == session.get().tag && id == session.get("?revision=2").tag)
    #expect(try session.act(#"{"type":"pop"}"#, headers: [("If-Match", "\"\(id)\"")]).revision == 3)
  }
}
