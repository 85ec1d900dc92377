/**
 * Opens a store of values by key that last as long as the page. `left` is the storage that it replaces; undefined if it replaces none. Once a key is saved
 * here, the value in `left` is out of date, and is deleted there. A deletion needs no space, so it is possible on a full disk too.
 */
export function openMemory(left) {
  const values = new Map();
  // Where structuredClone is missing, as in React Native, there is no engine whose bytes would be stored, so all values are JSON.
  const copied = globalThis.structuredClone ?? ((value) => JSON.parse(JSON.stringify(value)));
  return {
    async load(key) {
      return values.get(key);
    },
    async keys(prefix) {
      return [...values.keys()].filter((key) => key.startsWith(prefix));
    },
    async save(entries) {
      await left?.save(new Map([...entries.keys()].map((key) => [key, undefined]))).catch(() => {});
      for (const [key, value] of entries) {
        if (value === undefined) values.delete(key);
        else values.set(key, copied(value));
      }
    },
    async clear() {
      await left?.clear().catch(() => {});
      values.clear();
    },
  };
}
