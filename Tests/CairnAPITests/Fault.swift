import CairnAPI

/// What a body's reading was refused with; nil: it was read.
func fault<Result>(_ read: () throws(BodyFault) -> Result) -> BodyFault? {
  do throws(BodyFault) {
    _ = try read()
    return nil
  } catch {
    return error
  }
}
