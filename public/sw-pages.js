// What the service worker shows while there is no line: a page that was read on this device, or what there is of those.
"use strict";

const SAID = {
  en: {
    title: "You are offline",
    words: "There is no line just now. What you were writing is kept in its tab.",
    again: "Try again",
    list: "There to read on this device",
    asOf: (time) => `You are offline. This is as it was at ${time}.`,
    unsent: "There is no line just now, so nothing was sent. What you wrote stays in this tab.",
  },
  de: {
    title: "Du bist offline",
    words: "Gerade gibt es keine Verbindung. Was du geschrieben hast, bleibt in seinem Tab.",
    again: "Noch einmal versuchen",
    list: "Auf diesem Gerät zu lesen",
    asOf: (time) => `Du bist offline. So stand es hier um ${time}.`,
    unsent: "Gerade gibt es keine Verbindung, darum wurde nichts gesendet. Was du geschrieben hast, bleibt in diesem Tab.",
  },
  fr: {
    title: "Vous êtes hors ligne",
    words: "Il n’y a pas de connexion pour l’instant. Ce que vous écriviez reste dans son onglet.",
    again: "Réessayer",
    list: "À lire sur cet appareil",
    asOf: (time) => `Vous êtes hors ligne. Voici la page telle qu’elle était à ${time}.`,
    unsent: "Il n’y a pas de connexion pour l’instant, rien n’a donc été envoyé. Ce que vous avez écrit reste dans cet onglet.",
  },
  es: {
    title: "Estás sin conexión",
    words: "Ahora mismo no hay conexión. Lo que escribías queda en su pestaña.",
    again: "Volver a intentarlo",
    list: "Para leer en este dispositivo",
    asOf: (time) => `Estás sin conexión. Así estaba la página a las ${time}.`,
    unsent: "Ahora mismo no hay conexión, así que no se envió nada. Lo que escribiste queda en esta pestaña.",
  },
  ar: {
    title: "أنت غير متصل",
    words: "لا يوجد اتصال الآن. ما كنت تكتبه محفوظ في علامة تبويبه.",
    again: "حاول مرة أخرى",
    list: "للقراءة على هذا الجهاز",
    asOf: (time) => `أنت غير متصل. هكذا كانت الصفحة في ${time}.`,
    unsent: "لا يوجد اتصال الآن، لذا لم يُرسل شيء. ما كتبته يبقى في علامة التبويب هذه.",
  },
};

/** The language of what was read here, else the browser's. */
function spoken(language = self.navigator.language || "en") {
  const short = language.slice(0, 2);
  return Object.hasOwn(SAID, short) ? short : "en";
}

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);

/** When it was: of another day with its date. */
function momentIn(language, at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(language, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }).format(at);
}

const SKIP = /<a [^>]*class="skip"[^>]*>[^<]*<\/a>/;

/** A page as it was read. It looks as it did, sends nothing, and runs one script of ours, which keeps what is typed. */
async function keptPage(kept) {
  const html = await kept.text();
  const language = spoken(/^<html[^>]* lang="([\w-]+)"/m.exec(html)?.[1]);
  const { asOf, again, unsent } = SAID[language];
  const line =
    `<p class="systembar" role="status" data-as-of data-unsent="${escaped(unsent)}">` +
    `${escaped(asOf(momentIn(language, Number(kept.headers.get("kept-at")))))} <a href="">${again}</a></p>` +
    `<script src="/kept.js?kept" defer></script>`;
  // The way past everything that stands above the page comes first.
  const before = SKIP.test(html) ? SKIP : /<body[^>]*>/;
  return new Response(
    html.replace(before, (found) => found + line),
    {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": [
          "default-src 'none'",
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "font-src 'self'",
          `script-src ${self.location.origin}/kept.js`,
          "connect-src 'self'",
          "form-action 'none'",
          "base-uri 'none'",
        ].join("; "),
      },
    },
  );
}

/** What is said of a page that was not read here; `kept` is what was: each with its address, title, time and language. */
function offlinePage(address, kept) {
  const language = spoken(kept[0]?.language);
  const { title, words, again, list } = SAID[language];
  const { pathname, search } = new URL(address);
  const line = (copy) =>
    `<li><a href="${escaped(copy.path)}" dir="auto">${escaped(copy.title)}</a> <small>${escaped(momentIn(language, copy.at))}</small></li>`;
  const there = kept.length > 0 ? `<h2>${list}</h2><ul>${kept.map(line).join("")}</ul>` : "";
  const html = `<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.5rem;color:#1e2227;background:#faf8f4}a{color:#0b6b5d}ul{padding:0;list-style:none}li{padding:.25rem 0;overflow-wrap:anywhere}small{color:#5c6370}@media(prefers-color-scheme:dark){body{color:#ece8e1;background:#15171b}a{color:#5cc8b5}small{color:#a3a8b3}}</style>
<main><h1>${title}</h1><p>${words}</p><p><a href="${escaped(pathname + search)}">${again}</a></p>${there}</main></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  });
}
