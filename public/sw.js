// The service worker: shows push notifications and, without a connection, pages that were read on this device. Pages store
// the copies (src/web/client/offline-pages.ts); the worker deletes them when another person signs in (decision 32).
"use strict";

importScripts("/sw-pages.js");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(activate()));

/** Navigation preload: the page is requested while the worker starts, so that it delays none. */
async function activate() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(respondWithPage(event));
  // Only offline copies request files like this; all other requests go to the network as usual.
  else if (isCopyFile(new URL(request.url))) event.respondWith(findCopyFile(request));
});

const isCopyFile = (url) => url.origin === self.location.origin && url.searchParams.has("kept");
const pathWithQuery = (url) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The page itself, or without a connection its copy. */
async function respondWithPage({ request, preloadResponse }) {
  let answer;
  try {
    answer = (await preloadResponse) ?? (await fetch(request));
  } catch {
    const copy = await findCopy(request.url).catch(() => undefined);
    return copy ? renderCopy(copy) : renderOfflinePage(request.url, await listCopies().catch(() => []));
  }
  // Before the page is shown: nothing stays on the device for someone who has signed out.
  await removeOutdatedCopies(request.url, answer).catch(() => {});
  return answer;
}

/** The page no longer exists for this reader, or redirects. */
const isGone = ({ status, type }) => type === "opaqueredirect" || [401, 403, 404, 410].includes(status);

async function removeOutdatedCopies(url, answer) {
  const reader = answer.headers.get("kith-reader");
  // Our pages name their reader; an answer without the header is a file or comes from a proxy.
  if (reader) await removeCopiesOfOthers(reader);
  if (isGone(answer)) for (const cache of await openCaches("kept")) await cache.delete(pathWithQuery(url));
}

/** Pages store copies only where their reader has a store: an open page of another person finds none any more. */
async function removeCopiesOfOthers(reader) {
  const others = (await caches.keys()).filter(
    (name) => /^kith-(kept|files)-/.test(name) && !name.endsWith(`-${reader}`),
  );
  await Promise.all(others.map((name) => caches.delete(name)));
  if (reader !== "guest") await caches.open(`kith-kept-${reader}`);
}

/** Milliseconds after which a copy is no longer shown. */
const MAX_AGE = 14 * 24 * 3600 * 1000;
const isFresh = (copy) => Date.now() - Number(copy.headers.get("kept-at")) < MAX_AGE;

async function openCaches(kind) {
  const names = (await caches.keys()).filter((name) => name.startsWith(`kith-${kind}-`));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function findCopy(url) {
  for (const cache of await openCaches("kept")) {
    const found = await cache.match(pathWithQuery(url));
    if (found && isFresh(found)) return found;
  }
}

/** Titles and addresses of all copies, latest first. */
async function listCopies() {
  const found = [];
  for (const cache of await openCaches("kept"))
    for (const { url } of await cache.keys()) {
      const it = await cache.match(url);
      if (!it || !isFresh(it)) continue;
      const [title, at] = [
        decodeURIComponent(it.headers.get("kept-title")),
        Number(it.headers.get("kept-at")),
      ];
      found.push({ path: pathWithQuery(url), title, at, language: it.headers.get("content-language") });
    }
  return found.sort((one, other) => other.at - one.at);
}

/** A style sheet, font or picture of a copy. */
async function findCopyFile(request) {
  const url = new URL(request.url);
  url.searchParams.delete("kept");
  for (const cache of await openCaches("files")) {
    const found = await cache.match(url.pathname + url.search);
    if (found) return found;
  }
  return fetch(url);
}

/** The URL of a path on this site; the home page for anything else. */
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
    // Browsers count a push without a notification as an error, so one is shown anyway.
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

/** Focuses the window that shows the page already, else opens one. */
async function openWindow(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((it) => it.url === url);
  if (there) return there.focus();
  return self.clients.openWindow(url);
}
