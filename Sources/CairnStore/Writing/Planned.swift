package import CairnCore

/// The result that a request would have if it were posted.
package final class Planned: Sendable {
  /// The current session, on which the result is based.
  package let session: Session
  package let result: Result<Posted, StoreFault>
  /// The URL that the request opens, with the link that matches it; `nil` if the request opens no URL.
  package let opening: Opening?

  init(session: Session, result: Result<Posted, StoreFault>, opening: Opening?) {
    self.session = session
    self.result = result
    self.opening = opening
  }
}
