import {
  replyBelow,
  SENDER_ADDRESS,
  type Language,
  MAILED_LINES,
  AUTHOR_TEXTS,
  type ReplySample,
  replyAbove,
} from "./reply-samples.ts";

const escaped = (text: string) => text.replace(/</g, "&lt;").replace(/>/g, "&gt;");
const sender = escaped(SENDER_ADDRESS);
const paragraphs = (lines: readonly string[], tag = "p", attributes = "") =>
  lines
    .filter(Boolean)
    .map((line) => `<${tag}${attributes}>${escaped(line)}</${tag}>`)
    .join("");
const mailed = paragraphs(MAILED_LINES);
const page = (body: string) =>
  `<html><head><meta charset="utf-8"><style>p{margin:0}</style></head><body>${body}</body></html>`;
const divs = (language: Language) =>
  AUTHOR_TEXTS[language].map((line) => `<div>${line}</div>`).join("<div><br></div>");
const words = (language: Language, attributes = "") => paragraphs(AUTHOR_TEXTS[language], "p", attributes);
const fields = (names: string[], values = [sender, "2026-11-06 13:30", "Mira", "Beans"]) =>
  names.map((name, n) => `<b>${name}:</b> ${values[n]}`).join("<br>");

const outlookHead = (names: string[], language: Language) =>
  page(
    `<div class="elementToProof" style="font-family:Aptos">${AUTHOR_TEXTS[language][0]}</div><div ` +
      `class="elementToProof"><br></div><div class="elementToProof">${AUTHOR_TEXTS[language][1]}</div>` +
      `<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div ` +
      `id="divRplyFwdMsg" dir="ltr"><font ` +
      `face="Calibri">${fields(names)}</font><div>&nbsp;</div></div><div>${mailed}</div>`,
  );
const outlookDesktop = (names: string[], language: Language) =>
  page(
    `<div class="WordSection1">${words(language, ' class="MsoNormal"')}<p ` +
      `class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 ` +
      `1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${fields(names)}<o:p></o:p></p></div></div><p ` +
      `class="MsoNormal"><o:p>&nbsp;</o:p></p>${mailed}</div>`,
  );

export const HTML_REPLY_SAMPLES: ReplySample[] = [
  replyAbove(
    "Gmail in HTML",
    "en",
    page(
      `<div dir="ltr">${divs("en")}</div><br><div class="gmail_quote gmail_quote_container"><div ` +
        `dir="ltr" class="gmail_attr">On Fri, Nov 6, 2026 at 1:30 PM ${sender} wrote:<br></div><blockquote ` +
        `class="gmail_quote" style="margin:0 0 0 .8ex">${mailed}</blockquote></div>`,
    ),
  ),
  replyBelow(
    "Gmail in HTML",
    "es",
    page(
      `<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">El vie, 6 nov 2026 a ` +
        `las 13:30, ${sender} escribió:<br></div><blockquote ` +
        `class="gmail_quote">${MAILED_LINES[4]}</blockquote><div>${AUTHOR_TEXTS.es[0]}</div><blockquote ` +
        `class="gmail_quote">${MAILED_LINES[5]}</blockquote><div>${AUTHOR_TEXTS.es[1]}</div></div></div>`,
    ),
  ),
  replyAbove("Outlook on the web", "en", outlookHead(["From", "Sent", "To", "Subject"], "en")),
  replyAbove("Outlook on the web", "de", outlookHead(["Von", "Gesendet", "An", "Betreff"], "de")),
  replyAbove("Outlook in HTML", "fr", outlookDesktop(["De", "Envoyé", "À", "Objet"], "fr")),
  replyAbove("Outlook in HTML", "ru", outlookDesktop(["От", "Отправлено", "Кому", "Тема"], "ru")),
  replyAbove(
    "Outlook on a phone in HTML",
    "it",
    page(
      `<div dir="auto">${AUTHOR_TEXTS.it[0]}</div><div dir="auto"><br></div><div ` +
        `dir="auto">${AUTHOR_TEXTS.it[1]}</div><div id="ms-outlook-mobile-signature" dir="auto">Scarica <a ` +
        `href="https://aka.ms/o0ukef">Outlook per iOS</a></div><div ` +
        `id="mail-editor-reference-message-container"><hr style="display:inline-block;width:98%"><div ` +
        `id="divRplyFwdMsg">${fields(["Da", "Data", "A", "Oggetto"])}</div>${mailed}</div>`,
    ),
  ),
  replyAbove(
    "Apple Mail in HTML",
    "nl",
    page(
      `<div>${AUTHOR_TEXTS.nl[0]}</div><div><br></div><div>${AUTHOR_TEXTS.nl[1]}</div><br><div><blockquote ` +
        `type="cite"><div>Op 6 nov. 2026, om 13:30 heeft ${sender} het volgende ` +
        `geschreven:</div><br><div>${mailed}</div></blockquote></div>`,
    ),
  ),
  replyBelow(
    "Thunderbird in HTML",
    "de",
    page(
      `<div class="moz-cite-prefix">Am 06.11.26 um 13:30 schrieb Lindenhof:<br></div><blockquote ` +
        `type="cite" cite="mid:1@example.org">${mailed}</blockquote>${words("de")}<pre class="moz-signature" ` +
        `cols="72">-- \nMira</pre>`,
    ),
  ),
  replyAbove(
    "Yahoo in HTML",
    "pt",
    page(
      `<div class="ydp1"><div ` +
        `dir="ltr">${AUTHOR_TEXTS.pt[0]}</div><div><br></div><div>${AUTHOR_TEXTS.pt[1]}</div></div>` +
        `<div id="ydp2yahoo_quoted_1" ` +
        `class="ydp2yahoo_quoted"><div><div>Em sexta-feira, 6 de novembro de 2026 13:30:00 BRT, ${sender} ` +
        `escreveu:</div><div><br></div><div>${mailed}</div></div></div>`,
    ),
  ),
  replyAbove(
    "GMX in HTML",
    "de",
    page(
      `<div style="font-family: ` +
        `Verdana"><div>${AUTHOR_TEXTS.de[0]}</div><div>&nbsp;</div><div>${AUTHOR_TEXTS.de[1]}</div>` +
        `<div>&nbsp;</div><div ` +
        `name="quote" style="border-left: 2px solid ` +
        `#C3D9E5;"><div>${fields(["Von", "Gesendet", "An", "Betreff"])}</div><div ` +
        `name="quoted-content">${mailed}</div></div></div>`,
    ),
  ),
  replyAbove(
    "web.de in HTML",
    "de",
    page(
      `<div>${AUTHOR_TEXTS.de[0]}<br><br>${AUTHOR_TEXTS.de[1]}</div>` +
        `<div class="signature">&nbsp;</div><div><blockquote ` +
        `name="quote"><b>Am</b>&nbsp;06.11.26, 13:30 schrieb ${sender}:<br>${mailed}</blockquote></div>`,
    ),
  ),
  replyAbove(
    "Spark in HTML",
    "pl",
    page(
      `<div name="messageBodySection"><div dir="auto">${AUTHOR_TEXTS.pl[0]}<br><br>` +
        `${AUTHOR_TEXTS.pl[1]}</div></div><div ` +
        `name="messageReplySection">On 6 Nov 2026 at 13:30 +0100, ${sender}, wrote:<br><blockquote type="cite" ` +
        `class="spark_quote">${mailed}</blockquote></div>`,
    ),
  ),
  replyAbove(
    "Proton Mail in HTML",
    "fr",
    page(
      `<div>${AUTHOR_TEXTS.fr[0]}</div><div><br></div><div>${AUTHOR_TEXTS.fr[1]}</div><div ` +
        `class="protonmail_signature_block"><div class="protonmail_signature_block-proton">Envoyé avec la ` +
        `messagerie sécurisée <a href="https://proton.me/">Proton Mail.</a></div></div><div ` +
        `class="protonmail_quote">Le vendredi 6 novembre 2026 à 13:30, ${sender} a écrit :<br><blockquote ` +
        `class="protonmail_quote" type="cite">${mailed}</blockquote></div>`,
    ),
  ),
  replyAbove(
    "Zoho in HTML",
    "es",
    page(
      `<div>${AUTHOR_TEXTS.es[0]}<br></div><div><br></div><div>${AUTHOR_TEXTS.es[1]}<br></div><div ` +
        `class="zmail_extra"><div id="Zm-_Id_-Sgn1">---- El vie, 06 nov 2026 13:30:00 +0100 <b>${sender}</b> ` +
        `escribió ----<br></div><div><br></div><blockquote id="blockquote_zmail">${mailed}</blockquote></div>`,
    ),
  ),
  replyAbove(
    "K-9 Mail in HTML",
    "sv",
    page(
      `${AUTHOR_TEXTS.sv[0]}<br><br>${AUTHOR_TEXTS.sv[1]}<br><br>` +
        `<div class="gmail_quote">Den 6 november 2026 13:30:00 ` +
        `CET skrev ${sender}:<blockquote class="gmail_quote">${mailed}</blockquote></div>`,
    ),
  ),
  replyAbove(
    "Fastmail in HTML",
    "en",
    page(
      `<div>${AUTHOR_TEXTS.en[0]}<br></div><div><br></div><div>${AUTHOR_TEXTS.en[1]}<br></div><div><br></div><div>On ` +
        `Fri, 6 Nov 2026, at 13:30, Lindenhof wrote:<br></div><blockquote type="cite" ` +
        `id="qt">${mailed}</blockquote><div><br></div>`,
    ),
  ),
  replyAbove(
    "Superhuman in HTML",
    "en",
    page(
      `<div><div>${AUTHOR_TEXTS.en[0]}</div><div><br></div><div>${AUTHOR_TEXTS.en[1]}</div></div><br/><div ` +
        `class="gmail_signature"><div>Sent via <a href="https://sprh.mn">Superhuman</a></div></div><br/><div ` +
        `class="gmail_quote">On Fri, Nov 06, 2026 at 1:30 PM, ${sender} wrote:<br/><blockquote ` +
        `class="gmail_quote">${mailed}</blockquote></div>`,
    ),
  ),
];
