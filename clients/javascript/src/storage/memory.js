/**
 * Opens a store of values by key that last as long as the page. `left` is the storage that it replaces, if there was one. A value there is out of date once its
 * key is saved here, and is deleted. Deleting needs no space.
 */
export function openMemory(left) {
  const values = new Map();
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
        else values.set(key, structuredClone(value));
      }
    },
    async clear() {
      await left?.clear().catch(() => {});
      values.clear();
    },
  };
}
