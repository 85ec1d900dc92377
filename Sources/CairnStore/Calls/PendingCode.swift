import CairnCore
import CairnCrypto

/// The authorization code of a running token request, with the code verifier of its login (RFC 7636, 4.5). Both are stored as one secret.
struct PendingCode: Hashable, Sendable {
  let code: String
  /// The code verifier; `nil` if the login has no code challenge.
  let verifier: String?

  /// The first character of a stored text that includes a verifier. No authorization code begins with this control character.
  private static let mark: Character = "\u{1F}"

  /// The code of a redirect. `state` is the OAuth state of its login page; `nil` if an operator gave the code without a state.
  init(_ code: String, state: String?, _ keys: ProofKeys) {
    self.code = code
    let login = state.map { LoginNonce($0) }
    let verifier = login.map { keys.verifier(of: $0.seed) }
    // If the session was imported from another service, its login page may have a challenge whose verifier is unknown here.
    self.verifier = verifier.flatMap { ProofKeys.challenge(of: $0) == login?.challenge ? $0 : nil }
  }

  /// Reads the stored text of a code.
  init(text: String) {
    let parts = text.split(separator: Self.mark, maxSplits: 2, omittingEmptySubsequences: false)
    let hasVerifier = parts.count == 3 && parts[0].isEmpty
    code = hasVerifier ? String(parts[2]) : text
    verifier = hasVerifier ? String(parts[1]) : nil
  }

  /// The stored text.
  var text: String { verifier.map { "\(Self.mark)\($0)\(Self.mark)\(code)" } ?? code }
}
