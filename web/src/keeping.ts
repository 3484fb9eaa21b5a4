// What a page without a server keeps in the browser: the files of the project, its journal, and the libraries that were added.

const NAME = "kairos";

function opened(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("files");
      request.result.createObjectStore("libraries");
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

type Table = "files" | "libraries";

/** Everything in a table, by name. */
async function all<T>(table: Table): Promise<Record<string, T>> {
  const database = await opened();
  return new Promise((done, fail) => {
    const found: Record<string, T> = {};
    const transaction = database.transaction(table);
    const request = transaction.objectStore(table).openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      found[String(cursor.key)] = cursor.value as T;
      cursor.continue();
    };
    transaction.oncomplete = () => {
      database.close();
      done(found);
    };
    transaction.onerror = () => fail(transaction.error);
  });
}

/** Writes entries; `null` removes one. It is over when the browser has them. */
async function write(table: Table, entries: Record<string, unknown>): Promise<void> {
  const database = await opened();
  return new Promise((done, fail) => {
    const transaction = database.transaction(table, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(table);
    for (const [name, value] of Object.entries(entries)) {
      if (value === null) store.delete(name);
      else store.put(value, name);
    }
    transaction.oncomplete = () => {
      database.close();
      done();
    };
    transaction.onerror = () => fail(transaction.error);
  });
}

export const files = () => all<string>("files");
export const libraries = () => all<ArrayBuffer>("libraries");
export const keepFiles = (changes: Record<string, string | null>) => write("files", changes);
export const keepLibrary = (name: string, bytes: ArrayBuffer | null) => write("libraries", { [name]: bytes });
