import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal

// Endpoints that need a definition but no session: the definition's graph, its warnings, and the link that matches a URL.
extension DocumentEndpoints {
  func showGraph(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let asked = query.read(Query.graphFormat)
    let hash = query.read(Query.definition)
    try query.end()
    try definitions.withDefinition(call, hash) { pinned throws(Rejection) in try self.draw(pinned, asked, call) }
  }

  private func draw(_ pinned: PinnedDefinition, _ asked: GraphFormat?, _ call: Call) throws(Rejection) {
    let format = asked ?? GraphFormat(accepting: call.request.headers.all("Accept"))
    let headers: Headers = ["ETag": "\"\(format.tag(of: pinned.hash))\"", "Vary": "Accept"]
    if try call.hasCopy(of: format.tag(of: pinned.hash)) { return call.answer(Response(status: 304, headers: headers)) }
    let type = format == .json ? format.mediaType : format.mediaType + "; charset=utf-8"
    give(.graph(format), of: pinned, call, type: type, headers: headers)
  }

  func showCheck(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let hash = query.read(Query.definition)
    try query.end()
    try definitions.withDefinition(call, hash) { pinned throws(Rejection) in
      self.give(.check(doubts: pinned.doubts), of: pinned, call)
    }
  }

  func showLinks(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let url = query.read(Query.url)
    let hash = query.read(Query.definition)
    try query.end()
    try definitions.withDefinition(call, hash) { pinned throws(Rejection) in
      let definition = pinned.definition
      let isRedirect =
        url.map { definition.oauth?.isRedirect($0, environment: definition.environment(from: self.environment)) ?? false } ?? false
      self.give(.links(url: url, isRedirect: isRedirect), of: pinned, call)
    }
  }
}
