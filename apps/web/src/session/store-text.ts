/** Stores a text. Removes the key if the storage is full: an outdated value would be taken for the current one. */
export const storeText = (storage: Storage, key: string, text: string): void => {
  try {
    storage.setItem(key, text);
  } catch {
    storage.removeItem(key);
  }
};
