/**
 * Offline copies belong to one person, whose id is in the names of the two stores: one for pages, one for
 * their files. The service worker (public/sw.js) reads them.
 */
const STORE_NAMES = /^kith-(pages|files)-/;
const pageStoreName = (reader: string) => `kith-pages-${reader}`;
const fileStoreName = (reader: string) => `kith-files-${reader}`;

/** Maximum number of pages in the store. */
const MAX_PAGES = 30;
/** Maximum age of a stored page in milliseconds. */
const MAX_AGE = 14 * 24 * 3600 * 1000;

export type PageCopy = {
  path: string;
  title: string;
  language: string;
  html: string;
  files: ReadonlyMap<string, () => Promise<Response | null>>;
};

/**
 * Id of the person for whom pages may be saved, who chose to stay signed in on this device; null for
 * everyone else.
 */
export const getOfflineReaderId = (): string | null => document.documentElement.dataset["reader"] ?? null;

const DISABLED_KEY = "kith:offline-copies-off";
/** Whether copies are saved on this device. Where the browser refuses storage, they are not. */
export function areOfflineCopiesEnabled(): boolean {
  try {
    return "caches" in window && localStorage.getItem(DISABLED_KEY) === null;
  } catch {
    return false;
  }
}

export async function setOfflineCopies(keeps: boolean): Promise<void> {
  if (!keeps) localStorage.setItem(DISABLED_KEY, "yes");
  await deleteCopies();
  if (!keeps) return;
  localStorage.removeItem(DISABLED_KEY);
  await createStoresFor(getOfflineReaderId());
}

/**
 * Creates the stores for the reader of a page that has just loaded. Copies are only saved to existing
 * stores, so none are saved after sign-out has deleted them.
 */
export async function createStoresFor(reader: string | null): Promise<void> {
  if (reader !== null) await caches.open(pageStoreName(reader));
}

/** Deletes the copies of all readers. */
export async function deleteCopies(): Promise<void> {
  if (!("caches" in window)) return;
  const names = (await caches.keys()).filter((name) => STORE_NAMES.test(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

export async function deleteCopy(path: string): Promise<void> {
  const reader = getOfflineReaderId();
  if (reader !== null && (await caches.has(pageStoreName(reader))))
    await (await caches.open(pageStoreName(reader))).delete(path);
}

/** Whether there is an offline copy of a page. */
export async function hasCopy(path: string): Promise<boolean> {
  const reader = getOfflineReaderId();
  if (reader === null || !("caches" in window) || !navigator.serviceWorker?.controller) return false;
  return (await caches.match(path, { cacheName: pageStoreName(reader) })) !== undefined;
}

export async function countCopies(): Promise<number> {
  const reader = getOfflineReaderId();
  return reader !== null && (await caches.has(pageStoreName(reader)))
    ? (await (await caches.open(pageStoreName(reader))).keys()).length
    : 0;
}

/** Files whose address changes with their content need not be fetched again. */
const isContentAddressed = (address: string) => /^\/(assets|files)\//.test(address);

export async function saveCopy(
  reader: string,
  { path, title, language, html, files }: PageCopy,
  now: number,
): Promise<void> {
  if (!(await caches.has(pageStoreName(reader)))) return;
  const [pages, stored] = await Promise.all([
    caches.open(pageStoreName(reader)),
    caches.open(fileStoreName(reader)),
  ]);
  for (const [address, fetched] of files) {
    const file = isContentAddressed(address) && (await stored.match(address)) ? null : await fetched();
    if (file) await stored.put(address, file);
  }
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-language": language,
    "saved-at": String(now),
    // Headers only allow ASCII.
    "page-title": encodeURIComponent(title),
    "page-files": JSON.stringify([...files.keys()]),
  };
  await pages.put(path, new Response(html, { headers }));
  await trimStores(pages, stored, now);
}

/** Deletes the oldest pages, and files that no page uses any more, such as those of an older build. */
async function trimStores(pages: Cache, stored: Cache, now: number): Promise<void> {
  const found = await Promise.all(
    (await pages.keys()).map(async (key) => ({ key, headers: (await pages.match(key))?.headers })),
  );
  const copies = found.map(({ key, headers }) => ({
    key,
    at: Number(headers?.get("saved-at")),
    files: headers?.get("page-files") ?? "[]",
  }));
  copies.sort((one, other) => other.at - one.at);
  const staying = copies.filter(({ at }, index) => index < MAX_PAGES && now - at < MAX_AGE);
  await Promise.all(copies.filter((it) => !staying.includes(it)).map(({ key }) => pages.delete(key)));
  const needed = new Set<string>(staying.flatMap(({ files }) => JSON.parse(files)));
  const isNeeded = ({ url }: Request) => needed.has(url.slice(location.origin.length));
  await Promise.all((await stored.keys()).filter((key) => !isNeeded(key)).map((key) => stored.delete(key)));
}
