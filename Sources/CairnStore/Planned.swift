package import CairnCore

/// The response that a request would get if it were posted.
package final class Planned: Sendable {
  /// The session as it is: what the request was judged by.
  package let session: Session
  package let result: Result<Posted, StoreFault>
  /// The URL that it opens, and the link that takes it; nil: none.
  package let opening: Opening?

  init(session: Session, result: Result<Posted, StoreFault>, opening: Opening?) {
    self.session = session
    self.result = result
    self.opening = opening
  }
}
