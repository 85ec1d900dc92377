import CairnAPI
package import CairnCore
import Foundation

extension Wire.Call {
  /// Creates a request with a JSON body. Throws if the body contains a number that JSON cannot represent.
  package init(_ method: String, _ path: String, json: Value, credential: String?) throws(ClientError) {
    self.init(method, path, credential: credential)
    do {
      body = Data(try JSONText.bytes(json))
    } catch {
      throw .unsendable("it contains a number that JSON cannot represent (NaN or infinity)")
    }
  }
}
