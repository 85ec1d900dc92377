import CairnCore

/// The members that only the response to a plan has. A plan computes the effect of an action without performing it.
package struct PlanBody: Hashable, Sendable {
  /// The link that matches the opened URL; `nil` if no URL is opened or no link matches.
  package var link: LinkBody?

  package init(link: LinkBody? = nil) { self.link = link }

  /// Writes `plan` and `link` as the first members of an open object.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("plan", true)
    writer.member("link", ifPresent: link)
  }
}
