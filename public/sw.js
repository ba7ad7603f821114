// The service worker: shows what is pushed, and what was read on this device while there is no line. What is kept, pages keep
// (src/web/client/offline-pages.ts); here is seen to it that it stays with whom it belongs to (decision 75).
"use strict";

importScripts("/sw-pages.js");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(begin()));

/** The browser asks for a page while the worker wakes: that it is between costs nobody time. */
async function begin() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  // Only pages that are shown from here ask so: whoever has a line is not between.
  else if (isOfKept(new URL(request.url))) event.respondWith(keptFile(request));
});

const isOfKept = (url) => url.origin === self.location.origin && url.searchParams.has("kept");
const addressIn = (url) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The page itself, whenever it can be had. */
async function page({ request, preloadResponse }) {
  let answer;
  try {
    answer = (await preloadResponse) ?? (await fetch(request));
  } catch {
    const kept = await keptAt(request.url).catch(() => undefined);
    return kept ? keptPage(kept) : offlinePage(request.url, await allKept().catch(() => []));
  }
  // Before anybody sees it: who has signed out leaves nothing here.
  await minded(request.url, answer).catch(() => {});
  return answer;
}

/** Says of an address that what was there is there no more, at least for this reader; or leads elsewhere. */
const isGone = ({ status, type }) => type === "opaqueredirect" || [401, 403, 404, 410].includes(status);

async function minded(url, answer) {
  const reader = answer.headers.get("kith-reader");
  // Our pages say who reads them. What does not is none: a file, or the words of somebody between.
  if (reader) await leaveTo(reader);
  if (isGone(answer)) for (const cache of await keptCaches("kept")) await cache.delete(addressIn(url));
}

/** Only whose store is there is kept anything for: a page of another, still open beside this one, finds none any more. */
async function leaveTo(reader) {
  const others = (await caches.keys()).filter((name) => /^kith-(kept|files)-/.test(name) && !name.endsWith(`-${reader}`));
  await Promise.all(others.map((name) => caches.delete(name)));
  if (reader !== "guest") await caches.open(`kith-kept-${reader}`);
}

/** Milliseconds for which a page stays readable here. */
const LONGEST = 14 * 24 * 3600 * 1000;
const isFresh = (kept) => Date.now() - Number(kept.headers.get("kept-at")) < LONGEST;

async function keptCaches(kind) {
  const names = (await caches.keys()).filter((name) => name.startsWith(`kith-${kind}-`));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function keptAt(url) {
  for (const cache of await keptCaches("kept")) {
    const found = await cache.match(addressIn(url));
    if (found && isFresh(found)) return found;
  }
}

/** What can be read here, the latest first. */
async function allKept() {
  const found = [];
  for (const cache of await keptCaches("kept"))
    for (const { url } of await cache.keys()) {
      const it = await cache.match(url);
      if (!it || !isFresh(it)) continue;
      const [title, at] = [decodeURIComponent(it.headers.get("kept-title")), Number(it.headers.get("kept-at"))];
      found.push({ path: addressIn(url), title, at, language: it.headers.get("content-language") });
    }
  return found.sort((one, other) => other.at - one.at);
}

/** A style, font or picture of a kept page. */
async function keptFile(request) {
  const url = new URL(request.url);
  url.searchParams.delete("kept");
  for (const cache of await keptCaches("files")) {
    const found = await cache.match(url.pathname + url.search);
    if (found) return found;
  }
  return fetch(url);
}

/** A path of our own, and nothing else that somebody could have written there. */
function ownPath(path) {
  const own = self.location.origin;
  if (typeof path !== "string" || !path.startsWith("/") || !URL.canParse(path, own)) return `${own}/`;
  const url = new URL(path, own);
  return url.origin === own ? url.href : `${own}/`;
}

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    // Something has come all the same, and a browser takes a push that shows nothing for a fault.
  }
  const { title = "Kith", body = "", url, tag = "kith", lang = "en" } = said;
  const shown = {
    body,
    tag,
    lang,
    dir: lang === "ar" ? "rtl" : "auto",
    renotify: true,
    icon: "/icon-192.png",
    data: { url: ownPath(url) },
  };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? `${self.location.origin}/`));
});

/** In a window that shows it already, else in one of ours, else in a new one. */
async function open(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((it) => it.url === url);
  if (there) return there.focus();
  return self.clients.openWindow(url);
}
