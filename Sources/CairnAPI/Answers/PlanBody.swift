import CairnCore

/// The members that only the response to a plan has, beside those of the action's response.
package struct PlanBody: Hashable, Sendable {
  /// The link that takes the URL which is opened; nil: none is, or none does.
  package var link: LinkBody?

  package init(link: LinkBody? = nil) { self.link = link }

  /// Members of an object that is open, its first ones: `plan`, `link`.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("plan", true)
    writer.member("link", ifPresent: link)
  }
}
