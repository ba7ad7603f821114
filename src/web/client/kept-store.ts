/**
 * What was read on this device, so that it can be read without a line. It is one person's, and their name is that of the two stores: one for
 * pages, one for what they are shown with. The service worker (public/sw.js) reads them.
 */
const STORES = /^kith-(kept|files)-/;
const pagesOf = (reader: string) => `kith-kept-${reader}`;
const filesOf = (reader: string) => `kith-files-${reader}`;

/** So many pages are kept, the latest, for so many milliseconds. */
const MOST = 30;
const LONGEST = 14 * 24 * 3600 * 1000;

export type Copy = {
  path: string;
  title: string;
  language: string;
  html: string;
  files: ReadonlyMap<string, () => Promise<Response | null>>;
};

/** Whose pages may be kept: who has asked to stay signed in on this device. Nobody's, while somebody else is here. */
export const readerHere = (): string | null => document.documentElement.dataset["reader"] ?? null;

const OFF = "kith:keeps-no-pages";
/** A choice of this device. Where nothing can be remembered, nothing is kept. */
export function keepsPages(): boolean {
  try {
    return "caches" in window && localStorage.getItem(OFF) === null;
  } catch {
    return false;
  }
}

export async function choose(keeps: boolean): Promise<void> {
  if (!keeps) localStorage.setItem(OFF, "yes");
  await forgetOthers(null);
  if (!keeps) return;
  localStorage.removeItem(OFF);
  await beginFor(readerHere());
}

/** Makes the store of whoever reads a page that has just come. Kept is only where there is one: it goes when they do, and does not come back. */
export async function beginFor(reader: string | null): Promise<void> {
  if (reader !== null) await caches.open(pagesOf(reader));
}

/** Forgets what was not read by this reader: everything, where there is none. */
export async function forgetOthers(reader: string | null): Promise<void> {
  if (!("caches" in window)) return;
  const names = (await caches.keys()).filter((name) => STORES.test(name));
  await Promise.all(names.filter((name) => reader === null || !name.endsWith(`-${reader}`)).map((name) => caches.delete(name)));
}

export async function forgetPage(path: string): Promise<void> {
  const reader = readerHere();
  if (reader !== null && (await caches.has(pagesOf(reader)))) await (await caches.open(pagesOf(reader))).delete(path);
}

/** Whether a page can be read here without a line. */
export async function isThere(path: string): Promise<boolean> {
  const reader = readerHere();
  if (reader === null || !("caches" in window) || !navigator.serviceWorker?.controller) return false;
  return (await caches.match(path, { cacheName: pagesOf(reader) })) !== undefined;
}

export async function countKept(): Promise<number> {
  const reader = readerHere();
  return reader !== null && (await caches.has(pagesOf(reader))) ? (await (await caches.open(pagesOf(reader))).keys()).length : 0;
}

/** What is another under another address, and under its own for ever the same: it need not be looked at again. */
const isNamedByContent = (address: string) => /^\/(assets|files)\//.test(address);

export async function keepCopy(reader: string, { path, title, language, html, files }: Copy, now: number): Promise<void> {
  if (!(await caches.has(pagesOf(reader)))) return;
  const [pages, stored] = await Promise.all([caches.open(pagesOf(reader)), caches.open(filesOf(reader))]);
  for (const [address, fetched] of files) {
    const file = isNamedByContent(address) && (await stored.match(address)) ? null : await fetched();
    if (file) await stored.put(address, file);
  }
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-language": language,
    "kept-at": String(now),
    // Headers take no letters but those of English.
    "kept-title": encodeURIComponent(title),
    "kept-files": JSON.stringify([...files.keys()]),
  };
  await pages.put(path, new Response(html, { headers }));
  await trim(pages, stored, now);
}

/** Lets the oldest go, and of the files those that no page is shown with any more: so does an older build. */
async function trim(pages: Cache, stored: Cache, now: number): Promise<void> {
  const found = await Promise.all((await pages.keys()).map(async (key) => ({ key, headers: (await pages.match(key))?.headers })));
  const kept = found.map(({ key, headers }) => ({ key, at: Number(headers?.get("kept-at")), files: headers?.get("kept-files") ?? "[]" }));
  kept.sort((one, other) => other.at - one.at);
  const staying = kept.filter(({ at }, index) => index < MOST && now - at < LONGEST);
  await Promise.all(kept.filter((it) => !staying.includes(it)).map(({ key }) => pages.delete(key)));
  const needed = new Set(staying.flatMap(({ files }) => JSON.parse(files) as string[]));
  const isNeeded = ({ url }: Request) => needed.has(url.slice(location.origin.length));
  await Promise.all((await stored.keys()).filter((key) => !isNeeded(key)).map((key) => stored.delete(key)));
}
