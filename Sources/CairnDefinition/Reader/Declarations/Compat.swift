import CairnCore

/// The settings and words of a file's `compat`.
struct Compat {
  var unhandled: Definition.Unhandled = .parent
  var covered: Definition.Covered = .refuse
  /// Whether clients may send every step from a screen without `emits`.
  var emitsAny = false
  var words: Set<CompatWord> = []
}
