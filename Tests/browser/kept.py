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
    Waits until a condition holds: an expression of `kept`, the record of the page's session (undefined: there is none), and `keys`, the names of all that is
    stored. It is read at each of the browser's frames.
    """
    page.wait_for_function(READ.replace("RESULT", condition))


def record(page):
    """Returns what is stored of the page's session: the pending actions, the settled ones, and the screen that was shown."""
    return page.evaluate(READ.replace("RESULT", "kept && { pending: kept.pending, settled: kept.settled, next: kept.next, shown: kept.shown?.tree }"))
