// Pages that the service worker shows without a connection: a copy, or a list of all copies.
"use strict";

const TEXTS = {
  en: {
    title: "You are offline",
    words: "Your device has no connection. Text that you were writing stays in its tab.",
    again: "Try again",
    list: "Available offline",
    asOf: (time) => `You are offline. This copy is from ${time}.`,
    unsent: "You are offline, so nothing was sent. Your text stays in this tab.",
  },
  de: {
    title: "Du bist offline",
    words: "Dein Gerät hat keine Verbindung. Was du gerade geschrieben hast, bleibt im jeweiligen Tab.",
    again: "Erneut versuchen",
    list: "Offline verfügbar",
    asOf: (time) => `Du bist offline. Diese Kopie ist von ${time}.`,
    unsent: "Du bist offline, deshalb wurde nichts gesendet. Dein Text bleibt in diesem Tab.",
  },
  fr: {
    title: "Vous êtes hors ligne",
    words: "Votre appareil n’a pas de connexion. Le texte que vous écriviez reste dans son onglet.",
    again: "Réessayer",
    list: "Disponible hors ligne",
    asOf: (time) => `Vous êtes hors ligne. Cette copie date de ${time}.`,
    unsent: "Vous êtes hors ligne : rien n’a été envoyé. Votre texte reste dans cet onglet.",
  },
  es: {
    title: "Estás sin conexión",
    words: "Tu dispositivo no tiene conexión. El texto que escribías sigue en su pestaña.",
    again: "Volver a intentarlo",
    list: "Disponible sin conexión",
    asOf: (time) => `Estás sin conexión. Esta copia es de: ${time}.`,
    unsent: "Estás sin conexión, así que no se envió nada. Tu texto sigue en esta pestaña.",
  },
  ar: {
    title: "أنت غير متصل",
    words: "جهازك غير متصل بالإنترنت. يبقى النص الذي كنت تكتبه في علامة التبويب الخاصة به.",
    again: "حاول مرة أخرى",
    list: "متاح دون اتصال",
    asOf: (time) => `أنت غير متصل. هذه نسخة من ${time}.`,
    unsent: "أنت غير متصل، لذلك لم يُرسل شيء. يبقى نصك في علامة التبويب هذه.",
  },
};

/** Returns the language of the page or browser if Kith supports it, else English. */
function chooseLanguage(language = self.navigator.language || "en") {
  const short = language.slice(0, 2);
  return Object.hasOwn(TEXTS, short) ? short : "en";
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);

/** Formats the time of a copy, with its date if that is not today. */
function formatCopyTime(language, at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(
    language,
    isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" },
  ).format(at);
}

const SKIP = /<a [^>]*class="skip"[^>]*>[^<]*<\/a>/;

/** Renders a page from its copy. It sends nothing, and its only script is ours (offline-copy.js). */
async function renderCopy(copy) {
  const html = await copy.text();
  const language = chooseLanguage(/^<html[^>]* lang="([\w-]+)"/m.exec(html)?.[1]);
  const { asOf, again, unsent } = TEXTS[language];
  const notice =
    `<p class="systembar" role="status" data-as-of data-unsent="${escapeHtml(unsent)}">` +
    `${escapeHtml(asOf(formatCopyTime(language, Number(copy.headers.get("saved-at")))))} <a href="">${again}</a></p>` +
    `<script src="/offline-copy.js?offline" defer></script>`;
  // The notice is inserted after the skip link, which must stay the first element.
  const before = SKIP.test(html) ? SKIP : /<body[^>]*>/;
  return new Response(
    html.replace(before, (found) => found + notice),
    {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": [
          "default-src 'none'",
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "font-src 'self'",
          `script-src ${self.location.origin}/offline-copy.js`,
          "connect-src 'self'",
          "form-action 'none'",
          "base-uri 'none'",
        ].join("; "),
      },
    },
  );
}

/** Colours, sizes and shapes of the pages (src/web/styles/tokens.css), whose style sheet may not be on the device. */
const OFFLINE_STYLE = `
:root{color-scheme:light dark;--paper:#faf8f4;--surface:#fff;--ink:#1e2227;--quiet:#5c6370;--line:#e4ded2;--accent:#0b6b5d;--on-accent:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#15171b;--surface:#1d2025;--ink:#ece8e1;--quiet:#a3a8b3;--line:#2e323a;--accent:#5cc8b5;--on-accent:#0c1f1b}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 "Inter Variable",system-ui,sans-serif}
main{max-width:33rem;margin:0 auto;padding:max(3rem,12vh) 1.25rem 3rem}
svg{width:3rem;height:3rem;color:var(--accent)}
h1,h2{margin:1rem 0 .25rem;font:600 1.5625rem/2rem "Source Serif 4 Variable",Georgia,serif}
h2{margin-top:2.5rem;font-size:1.25rem}
p{margin:0 0 1.25rem}
a{color:var(--accent)}
.button{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1rem;border-radius:6px;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
ul{margin:.75rem 0 0;padding:0;list-style:none;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
li+li{border-top:1px solid var(--line)}
li{position:relative;padding:.75rem 1rem;overflow-wrap:anywhere}
li a:not(:hover){text-decoration:none}
li a::after{position:absolute;inset:0;content:""}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
small{display:block;color:var(--quiet);font-size:.8125rem}`;
const OFFLINE_ICON =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M12 20h.01M8.5 16.429a5 5 0 0 1 7 0M5 12.859a10 10 0 0 1 5.17-2.69M19 12.859a10 10 0 0 0-2.007-1.523M2 8.82a15 15 0 0 1 4.177-2.643M22 8.82a15 15 0 0 0-11.288-3.764M2 2l20 20"/></svg>';

/** Renders a list of all copies (address, title, time, language), for a page without a copy. */
function renderOfflinePage(address, copies) {
  const language = chooseLanguage(copies[0]?.language);
  const { title, words, again, list } = TEXTS[language];
  const { pathname, search } = new URL(address);
  const item = (copy) =>
    `<li><a href="${escapeHtml(copy.path)}" dir="auto">${escapeHtml(copy.title)}</a> <small>${escapeHtml(formatCopyTime(language, copy.at))}</small></li>`;
  const available = copies.length > 0 ? `<h2>${list}</h2><ul>${copies.map(item).join("")}</ul>` : "";
  const html = `<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>${title}</title>
<style>${OFFLINE_STYLE}</style>
<main>${OFFLINE_ICON}<h1>${title}</h1><p>${words}</p><p><a class="button" href="${escapeHtml(pathname + search)}">${again}</a></p>${available}</main></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  });
}
