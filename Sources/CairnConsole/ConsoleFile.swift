/// A file of the console, which is served at `/console`. Its contents are compiled into the binary.
package struct ConsoleFile: Sendable {
  /// The path after `/console/`; empty for the page itself.
  package let name: String
  /// The file's media type.
  package let type: String
  /// The file's contents.
  package let bytes: [UInt8]

  /// All files, beginning with the page. The page refers to the other files by their paths; there is no build step.
  package static let all: [ConsoleFile] = [
    ConsoleFile(name: "", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    ConsoleFile(name: "console.css", type: "text/css; charset=utf-8", bytes: PackageResources.console_css),
    script("api.js", PackageResources.api_js),
    script("main.js", PackageResources.main_js),
    script("state.js", PackageResources.state_js),
    script("client/event-stream.js", PackageResources.event_stream_js),
    script("elements/dom.js", PackageResources.dom_js),
    script("elements/fields.js", PackageResources.fields_js),
    script("elements/help.js", PackageResources.help_js),
    script("elements/paper.js", PackageResources.paper_js),
    script("elements/tabs.js", PackageResources.tabs_js),
    script("elements/view.js", PackageResources.view_js),
    script("graph/curves.js", PackageResources.curves_js),
    script("graph/definition.js", PackageResources.definition_js),
    script("graph/graph.js", PackageResources.graph_js),
    script("graph/layout.js", PackageResources.layout_js),
    script("graph/rollout.js", PackageResources.rollout_js),
    script("graph/words.js", PackageResources.words_js),
    script("session/act.js", PackageResources.act_js),
    script("session/bench.js", PackageResources.bench_js),
    script("session/curl.js", PackageResources.curl_js),
    script("session/diff.js", PackageResources.diff_js),
    script("session/history.js", PackageResources.history_js),
    script("session/outcome.js", PackageResources.outcome_js),
    script("session/session.js", PackageResources.session_js),
    script("session/shelf.js", PackageResources.shelf_js),
    script("session/status.js", PackageResources.status_js),
    script("session/tree.js", PackageResources.tree_js),
    script("sessions/listing.js", PackageResources.listing_js),
    script("sessions/live.js", PackageResources.live_js),
    script("sessions/sessions.js", PackageResources.sessions_js),
    script("sessions/starting.js", PackageResources.starting_js),
  ]

  private static func script(_ name: String, _ bytes: [UInt8]) -> ConsoleFile {
    ConsoleFile(name: name, type: "text/javascript; charset=utf-8", bytes: bytes)
  }
}
