/** Values by key that end with the page. */
export function openMemory() {
  const values = new Map();
  return {
    async load(key) {
      return values.get(key);
    },
    async save(entries) {
      for (const [key, value] of entries) {
        if (value === undefined) values.delete(key);
        else values.set(key, structuredClone(value));
      }
    },
    async clear() {
      values.clear();
    },
  };
}
