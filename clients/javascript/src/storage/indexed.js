/** The version of the database's layout. */
const version = 1;
const table = "values";

/** Opens a store of values by key in IndexedDB. Each of its functions is one transaction, and rejects with the transaction's error. */
export async function openIndexed(indexedDB, name) {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    if (!request.result.objectStoreNames.contains(table)) request.result.createObjectStore(table);
  };
  const database = await resultOf(request);
  // Another page with a newer layout waits until this one closes the database.
  database.onversionchange = () => database.close();
  return {
    load: async (key) => resultOf(database.transaction([table], "readonly").objectStore(table).get(key)),
    keys: async (prefix) => (await resultOf(database.transaction([table], "readonly").objectStore(table).getAllKeys())).filter((key) => key.startsWith(prefix)),
    save: async (entries) => change(database, (values) => {
      for (const [key, value] of entries) {
        if (value === undefined) values.delete(key);
        else values.put(value, key);
      }
    }),
    clear: async () => change(database, (values) => values.clear()),
  };
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another page uses the storage with another layout; close that page"));
  });
}

/** Resolves when the change is on the disk, not when its requests are answered, because the browser checks its quota last. */
function change(database, make) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([table], "readwrite");
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
    make(transaction.objectStore(table));
  });
}
