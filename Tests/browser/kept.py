"""The data of a session that the JavaScript client keeps in the browser's storage."""


READ = """async () => {
  const request = indexedDB.open("cairn");
  const database = await new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const all = database.transaction(["values"]).objectStore("values");
  const read = (made) => new Promise((resolve) => { made.onsuccess = () => resolve(made.result); });
  const keys = await read(all.getAllKeys());
  const name = keys.find((key) => key.startsWith("session "));
  const kept = name && await read(all.get(name));
  database.close();
  return RESULT;
}"""


def stored(page, condition):
    """
    Waits until a condition holds. The condition is an expression of `kept`, the record of the page's session (undefined if none is stored), and of `keys`, the
    names of all stored values. Both are read at each frame of the browser.
    """
    page.wait_for_function(READ.replace("RESULT", condition))


def record(page):
    """Returns the stored data of the page's session: the pending and the settled actions, the number of the next action, and the shown tree."""
    return page.evaluate(READ.replace("RESULT", "kept && { pending: kept.pending, settled: kept.settled, next: kept.next, shown: kept.shown?.tree }"))
