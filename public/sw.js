// The service worker: shows push notifications and, without a connection, pages that were read on this device. Pages store
// the copies (src/web/client/offline-pages.ts); the worker deletes them when another person signs in (decision 32).
"use strict";

importScripts("/sw-pages.js");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(activate()));

/**
 * Switches navigation preload on: the browser requests a page while the worker starts, so no page is
 * delayed.
 */
async function activate() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(respondWithPage(event));
  // Only offline copies request files with this mark. All other requests are left to the browser.
  else if (isCopyFile(new URL(request.url))) event.respondWith(findCopyFile(request));
});

const isCopyFile = (url) => url.origin === self.location.origin && url.searchParams.has("offline");
const pathWithQuery = (url) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Responds with the page from the network or, without a connection, with its copy. */
async function respondWithPage({ request, preloadResponse }) {
  let answer;
  try {
    answer = (await preloadResponse) ?? (await fetch(request));
  } catch {
    const copy = await findCopy(request.url).catch(() => undefined);
    return copy ? renderCopy(copy) : renderOfflinePage(request.url, await listCopies().catch(() => []));
  }
  // Copies are removed before the page is shown, so that none remain for a person who has signed out.
  await removeOutdatedCopies(request.url, answer).catch(() => {});
  return answer;
}

/** Whether an answer redirects or says that the reader can no longer open the page. */
const isGone = ({ status, type }) => type === "opaqueredirect" || [401, 403, 404, 410].includes(status);

async function removeOutdatedCopies(url, answer) {
  const reader = answer.headers.get("kith-reader");
  // Pages of the app name their reader in this header. An answer without it is a file or comes from a proxy.
  if (reader) await removeCopiesOfOthers(reader);
  if (isGone(answer)) for (const cache of await openCaches("pages")) await cache.delete(pathWithQuery(url));
}

/**
 * Deletes the stores of other readers. Their open pages cannot save copies any more: they save to existing
 * stores only.
 */
async function removeCopiesOfOthers(reader) {
  const others = (await caches.keys()).filter(
    (name) => /^kith-(pages|files)-/.test(name) && !name.endsWith(`-${reader}`),
  );
  await Promise.all(others.map((name) => caches.delete(name)));
  if (reader !== "guest") await caches.open(`kith-pages-${reader}`);
}

/** Milliseconds after which a copy is no longer shown. */
const MAX_AGE = 14 * 24 * 3600 * 1000;
const isFresh = (copy) => Date.now() - Number(copy.headers.get("saved-at")) < MAX_AGE;

async function openCaches(kind) {
  const names = (await caches.keys()).filter((name) => name.startsWith(`kith-${kind}-`));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function findCopy(url) {
  for (const cache of await openCaches("pages")) {
    const found = await cache.match(pathWithQuery(url));
    if (found && isFresh(found)) return found;
  }
}

/** Titles and addresses of all copies, latest first. */
async function listCopies() {
  const found = [];
  for (const cache of await openCaches("pages"))
    for (const { url } of await cache.keys()) {
      const it = await cache.match(url);
      if (!it || !isFresh(it)) continue;
      const [title, at] = [
        decodeURIComponent(it.headers.get("page-title")),
        Number(it.headers.get("saved-at")),
      ];
      found.push({ path: pathWithQuery(url), title, at, language: it.headers.get("content-language") });
    }
  return found.sort((one, other) => other.at - one.at);
}

/** Returns a style sheet, font or picture that a copy uses. */
async function findCopyFile(request) {
  const url = new URL(request.url);
  url.searchParams.delete("offline");
  for (const cache of await openCaches("files")) {
    const found = await cache.match(url.pathname + url.search);
    if (found) return found;
  }
  return fetch(url);
}

/** Returns the URL of a path on this site; the home page for any other address. */
function toOwnUrl(path) {
  const own = self.location.origin;
  if (typeof path !== "string" || !path.startsWith("/") || !URL.canParse(path, own)) return `${own}/`;
  const url = new URL(path, own);
  return url.origin === own ? url.href : `${own}/`;
}

self.addEventListener("push", (event) => {
  let content = {};
  try {
    content = event.data?.json() ?? {};
  } catch {
    // Browsers count a push without a notification as an error, so one is shown even if the content is
    // unreadable.
  }
  const { title = "Kith", body = "", url, tag = "kith", lang = "en" } = content;
  const options = {
    body,
    tag,
    lang,
    dir: lang === "ar" ? "rtl" : "auto",
    renotify: true,
    icon: "/icon-192.png",
    data: { url: toOwnUrl(url) },
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openWindow(event.notification.data?.url ?? `${self.location.origin}/`));
});

/** Focuses a window that already shows the page; otherwise opens one. */
async function openWindow(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((it) => it.url === url);
  if (there) return there.focus();
  return self.clients.openWindow(url);
}
