// The service worker: shows what is pushed, and a page of its own while there is no line. It keeps nothing of anybody's pages.
"use strict";

const OFFLINE = {
  en: ["You are offline", "There is no line just now. What you were writing is kept in its tab.", "Try again"],
  de: ["Du bist offline", "Gerade gibt es keine Verbindung. Was du geschrieben hast, bleibt in seinem Tab.", "Noch einmal versuchen"],
  fr: ["Vous êtes hors ligne", "Il n’y a pas de connexion pour l’instant. Ce que vous écriviez reste dans son onglet.", "Réessayer"],
  es: ["Estás sin conexión", "Ahora mismo no hay conexión. Lo que escribías queda en su pestaña.", "Volver a intentarlo"],
  ar: ["أنت غير متصل", "لا يوجد اتصال الآن. ما كنت تكتبه محفوظ في علامة تبويبه.", "حاول مرة أخرى"],
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(() => offlinePage(event.request.url)));
});

function offlinePage(url) {
  const spoken = (self.navigator.language || "en").slice(0, 2);
  const language = Object.hasOwn(OFFLINE, spoken) ? spoken : "en";
  const [title, words, again] = OFFLINE[language];
  const path = new URL(url).pathname.replace(/[^\w/.-]/g, "");
  const html = `<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem;color:#1e2227;background:#faf8f4}a{color:#0b6b5d}@media(prefers-color-scheme:dark){body{color:#ece8e1;background:#15171b}a{color:#5cc8b5}}</style>
<main><h1>${title}</h1><p>${words}</p><p><a href="${path}">${again}</a></p></main></html>`;
  return new Response(html, {
    status: 503,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" },
  });
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
