import CairnCore

/// The definitions with which an app is or was served, oldest first.
package struct VersionsBody: DescribedBody, Sendable {
  package var app: String
  package var versions: [Version]

  package init(app: String, versions: [Version]) {
    self.app = app
    self.versions = versions
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always("versions", body?.versions, "The app's definitions, oldest first.", as: .list(of: .shared(.version)))
  }

  /// A definition with which the app is or was served.
  package struct Version: DescribedBody, Hashable, Sendable {
    /// The definition's hash.
    package var definition: String
    /// Whether new sessions begin with the definition.
    package var current: Bool
    /// The time, in milliseconds since 1970, from which the app was last served with the definition. If that time is not recorded, this is
    /// the creation time of the oldest session on the definition.
    package var since: Int
    /// The operator who uploaded the definition; `nil` if the definition came from the folder of definitions.
    package var by: String?
    /// The number of sessions that use the definition.
    package var sessions: Int

    package init(definition: String, current: Bool, since: Int, by: String?, sessions: Int) {
      self.definition = definition
      self.current = current
      self.since = since
      self.by = by
      self.sessions = sessions
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe(
        "by", body?.by, "The operator who published the definition; missing if the definition is from the folder of definitions.")
      visitor.always("current", body?.current, "Whether new sessions start on this definition.")
      visitor.always("definition", body?.definition, "The definition's hash.")
      visitor.always("sessions", body?.sessions, "Number of sessions on this definition.", as: .whole(from: 0))
      visitor.always("since", (body?.since).map(Timestamp.init))
    }

    package static var firstRequired: [String] { ["definition", "current", "since"] }
  }
}
