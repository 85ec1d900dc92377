import CairnCrypto
import CairnJournal
import Foundation

/// The changes of one session in a batch with its secrets encrypted, prepared before the transaction begins. A class, because copying a
/// state updates many reference counts.
final class SealedWrite {
  /// An encrypted secret; `nil` in `box` means that the secret is deleted.
  struct Secret {
    var slot: Int
    var box: Data?
  }

  let write: SessionWrite
  let secrets: [Secret]

  var id: String { write.record.id }

  init(_ write: SessionWrite, _ box: SecretBox) {
    self.write = write
    let id = write.record.id
    secrets = write.secrets.map { slot, change in
      guard case .keep(let text) = change else { return Secret(slot: slot.number, box: nil) }
      return Secret(slot: slot.number, box: box.seal(text, for: slot.purpose(of: id)))
    }
  }
}
