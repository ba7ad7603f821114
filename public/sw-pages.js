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
    `${escapeHtml(asOf(formatCopyTime(language, Number(copy.headers.get("kept-at")))))} <a href="">${again}</a></p>` +
    `<script src="/offline-copy.js?kept" defer></script>`;
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

/** Renders a list of all copies (address, title, time, language), for a page without a copy. */
function renderOfflinePage(address, copies) {
  const language = chooseLanguage(copies[0]?.language);
  const { title, words, again, list } = TEXTS[language];
  const { pathname, search } = new URL(address);
  const item = (copy) =>
    `<li><a href="${escapeHtml(copy.path)}" dir="auto">${escapeHtml(copy.title)}</a> <small>${escapeHtml(formatCopyTime(language, copy.at))}</small></li>`;
  const available = copies.length > 0 ? `<h2>${list}</h2><ul>${copies.map(item).join("")}</ul>` : "";
  const html = `<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.5rem;color:#1e2227;background:#faf8f4}a{color:#0b6b5d}ul{padding:0;list-style:none}li{padding:.25rem 0;overflow-wrap:anywhere}small{color:#5c6370}@media(prefers-color-scheme:dark){body{color:#ece8e1;background:#15171b}a{color:#5cc8b5}small{color:#a3a8b3}}</style>
<main><h1>${title}</h1><p>${words}</p><p><a href="${escapeHtml(pathname + search)}">${again}</a></p>${available}</main></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  });
}
