/// A file of the console, which is served at `/console`. Its contents are compiled into the binary.
package struct ConsoleFile: Sendable {
  /// The path after `/console/`; empty for the page itself.
  package let name: String
  /// Its media type.
  package let type: String
  /// The file's contents.
  package let bytes: [UInt8]

  /// All files, the page first. The page refers to the others by name; there is no build step.
  package static let all: [ConsoleFile] = [
    ConsoleFile(name: "", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    ConsoleFile(name: "console.css", type: "text/css; charset=utf-8", bytes: PackageResources.console_css),
    script("act.js", PackageResources.act_js),
    script("api.js", PackageResources.api_js),
    script("bench.js", PackageResources.bench_js),
    script("curl.js", PackageResources.curl_js),
    script("definition.js", PackageResources.definition_js),
    script("diff.js", PackageResources.diff_js),
    script("curves.js", PackageResources.curves_js),
    script("dom.js", PackageResources.dom_js),
    script("fields.js", PackageResources.fields_js),
    script("graph.js", PackageResources.graph_js),
    script("help.js", PackageResources.help_js),
    script("history.js", PackageResources.history_js),
    script("layout.js", PackageResources.layout_js),
    script("listing.js", PackageResources.listing_js),
    script("live.js", PackageResources.live_js),
    script("main.js", PackageResources.main_js),
    script("outcome.js", PackageResources.outcome_js),
    script("paper.js", PackageResources.paper_js),
    script("rollout.js", PackageResources.rollout_js),
    script("session.js", PackageResources.session_js),
    script("sessions.js", PackageResources.sessions_js),
    script("shelf.js", PackageResources.shelf_js),
    script("starting.js", PackageResources.starting_js),
    script("state.js", PackageResources.state_js),
    script("status.js", PackageResources.status_js),
    script("tabs.js", PackageResources.tabs_js),
    script("tree.js", PackageResources.tree_js),
    script("view.js", PackageResources.view_js),
    script("words.js", PackageResources.words_js),
  ]

  private static func script(_ name: String, _ bytes: [UInt8]) -> ConsoleFile {
    ConsoleFile(name: name, type: "text/javascript; charset=utf-8", bytes: bytes)
  }
}
