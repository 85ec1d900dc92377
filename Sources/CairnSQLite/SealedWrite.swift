import CairnStore
import Foundation

/// A session's part of a batch with its secrets in their boxes, made before the transaction begins. An object, because a copy of a
/// state is many counted references.
final class SealedWrite {
  /// nil: to be forgotten.
  struct Secret {
    var slot: Int
    var box: Data?
  }

  let write: SessionWrite
  let secrets: [Secret]

  var id: String { write.record.id }

  init(_ write: SessionWrite, _ box: SecretBox) throws(JournalError) {
    self.write = write
    let id = write.record.id
    do {
      secrets = try write.secrets.map { slot, change in
        guard case .keep(let text) = change else { return Secret(slot: slot.number, box: nil) }
        return Secret(slot: slot.number, box: try box.seal(text, for: slot.purpose(of: id)))
      }
    } catch {
      // The error's own text may quote what could not be sealed.
      throw .unreadable("a secret of session \(id) cannot be sealed")
    }
  }
}
