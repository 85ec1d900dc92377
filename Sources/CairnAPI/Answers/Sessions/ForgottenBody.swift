import CairnCore

/// The result of forgetting a part of a session's history.
package struct ForgottenBody: DescribedBody, Hashable, Sendable {
  /// The first revision that can be read.
  package var firstRevision: Int

  package init(firstRevision: Int) { self.firstRevision = firstRevision }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("firstRevision", body?.firstRevision, "The first revision that can be read.", as: .whole(from: 1))
  }
}
