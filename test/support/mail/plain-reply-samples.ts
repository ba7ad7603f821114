import {
  replyBelow,
  SENDER_ADDRESS,
  type Language,
  MAILED_LINES,
  authorText,
  AUTHOR_TEXTS,
  quoteLines,
  type ReplySample,
  replyAbove,
} from "./reply-samples.ts";

const above = (program: string, language: Language, attribution: string, phone = "") =>
  replyAbove(program, language, `${authorText(language, phone)}\n\n${attribution}\n\n${quoteLines()}\n`);
const under = (program: string, language: Language, attribution: string, after = "") =>
  replyBelow(
    program,
    language,
    `${attribution}\n${quoteLines(MAILED_LINES.slice(4))}\n\n${authorText(language)}\n${after}`,
  );
/** A reply with an answer below each quoted question. */
const between = (program: string, language: Language, attribution: string) =>
  replyBelow(
    program,
    language,
    `${attribution}\n\n${MAILED_LINES.slice(4)
      .map((line, n) => `> ${line}\n\n${AUTHOR_TEXTS[language][n]}\n`)
      .join("\n")}`,
  );
/**
 * A reply below which the program adds the header block of the answered mail and its text, without quote
 * signs.
 */
const headed = (program: string, language: Language, head: string[], line = "") =>
  replyAbove(
    program,
    language,
    `${authorText(language, line)}\n\n${head.join("\n")}\n\n${MAILED_LINES.join("\n")}\n`,
  );
/** A reply from an iPhone, which quotes the attribution too. */
const phone = (program: string, language: Language, line: string, attribution: string) =>
  replyAbove(
    program,
    language,
    `${authorText(language, line)}\n\n${quoteLines([attribution, "", ...MAILED_LINES])}\n`,
  );

export const PLAIN_REPLY_SAMPLES: ReplySample[] = [
  above("Gmail", "en", `On Fri, Nov 6, 2026 at 1:30 PM ${SENDER_ADDRESS} wrote:`),
  above("Gmail", "de", `Lindenhof <reply+k7m2q9x4@mail.example.org> schrieb am Fr., 6. Nov. 2026,\n13:30:`),
  above("Gmail", "fr", `Le ven. 6 nov. 2026 à 13:30, ${SENDER_ADDRESS} a\nécrit :`),
  above(
    "Gmail",
    "es",
    `El vie, 6 nov 2026 a las 13:30, Lindenhof (<\nreply+k7m2q9x4@mail.example.org>) escribió:`,
  ),
  above("Gmail", "ar", `في الجمعة، ٦ نوفمبر ٢٠٢٦ في ١:٣٠ م تمت كتابة ما يلي بواسطة ${SENDER_ADDRESS}:`),
  above("Gmail", "ja", `2026年11月6日(金) 13:30 ${SENDER_ADDRESS}:`),
  above("Gmail", "ru", `пт, 6 нояб. 2026 г. в 13:30, ${SENDER_ADDRESS}:`),
  above("Gmail", "sv", `Den fre 6 nov. 2026 kl 13:30 skrev ${SENDER_ADDRESS}:`),
  above("Gmail", "pt", `Em sex., 6 de nov. de 2026 às 13:30, ${SENDER_ADDRESS}\nescreveu:`),
  above(
    "Gmail",
    "it",
    `Il giorno ven 6 nov 2026 alle ore 13:30 Lindenhof <\nreply+k7m2q9x4@mail.example.org> ha scritto:`,
  ),
  above("Gmail", "nl", `Op vr 6 nov 2026 om 13:30 schreef ${SENDER_ADDRESS}:`),
  above("Gmail", "pl", `pt., 6 lis 2026 o 13:30 ${SENDER_ADDRESS} napisał(a):`),
  above("Gmail", "zh", `${SENDER_ADDRESS} 于2026年11月6日周五 13:30写道：`),
  between("Gmail", "fr", `Le ven. 6 nov. 2026 à 13:30, ${SENDER_ADDRESS} a écrit :`),
  phone(
    "Apple Mail on iPhone",
    "en",
    "Sent from my iPhone",
    `On 6 Nov 2026, at 13:30, ${SENDER_ADDRESS} wrote:`,
  ),
  phone(
    "Apple Mail on iPhone",
    "de",
    "Von meinem iPhone gesendet",
    `Am 06.11.2026 um 13:30 schrieb ${SENDER_ADDRESS}:`,
  ),
  phone("Apple Mail on iPad", "ja", "iPadから送信", `2026/11/06 13:30、${SENDER_ADDRESS}のメール:`),
  phone("Apple Mail on iPhone", "zh", "发自我的 iPhone", `在 2026年11月6日，13:30，${SENDER_ADDRESS} 写道：`),
  phone(
    "Apple Mail on iPhone",
    "pt",
    "Enviado do meu iPhone",
    `No dia 06/11/2026, às 13:30, ${SENDER_ADDRESS} escreveu:`,
  ),
  above("Apple Mail", "ru", `6 нояб. 2026 г., в 13:30, ${SENDER_ADDRESS} написал(а):`),
  above("Apple Mail", "fr", `Le 6 nov. 2026 à 13:30, ${SENDER_ADDRESS} a écrit :`),
  headed("Outlook", "en", [
    "-----Original Message-----",
    `From: ${SENDER_ADDRESS} `,
    "Sent: Friday, November 6, 2026 1:30 PM",
    "To: Mira <mira@example.org>",
    "Subject: Beans",
  ]),
  headed("Outlook", "de", [
    `Von: ${SENDER_ADDRESS}`,
    "Gesendet: Freitag, 6. November 2026 13:30",
    "An: Mira <mira@example.org>",
    "Betreff: Bohnen",
  ]),
  headed("Outlook", "fr", [
    `De : ${SENDER_ADDRESS}`,
    "Envoyé : vendredi 6 novembre 2026 13:30",
    "À : Mira <mira@example.org>",
    "Objet : Haricots",
  ]),
  headed("Outlook", "pl", [
    `From: ${SENDER_ADDRESS}`,
    "Wysłano: piątek, 6 listopada 2026 13:30",
    "Do: Mira <mira@example.org>",
    "Temat: Fasola",
  ]),
  headed("Outlook", "ja", [
    "-----Original Message-----",
    `差出人: ${SENDER_ADDRESS}`,
    "送信日時: 2026年11月6日 13:30",
    "宛先: Mira <mira@example.org>",
    "件名: 豆",
  ]),
  headed("Outlook", "zh", [
    `发件人: ${SENDER_ADDRESS}`,
    "发送时间: 2026年11月6日 13:30",
    "收件人: Mira <mira@example.org>",
    "主题: 豆子",
  ]),
  headed("Outlook", "ar", [
    `من: ${SENDER_ADDRESS}`,
    "تم الإرسال: الجمعة، 6 نوفمبر 2026 13:30",
    "إلى: Mira <mira@example.org>",
    "الموضوع: الفاصولياء",
  ]),
  headed(
    "Outlook on a phone",
    "es",
    [
      "________________________________",
      `De: ${SENDER_ADDRESS}`,
      "Enviado: viernes, 6 de noviembre de 2026 13:30",
      "Para: Mira <mira@example.org>",
      "Asunto: Judías",
    ],
    "Obtener Outlook para iOS<https://aka.ms/o0ukef>",
  ),
  headed(
    "Outlook on a phone",
    "sv",
    [
      "________________________________",
      `Från: ${SENDER_ADDRESS}`,
      "Skickat: fredag, november 6, 2026 1:30 em",
      "Till: Mira <mira@example.org>",
      "Ämne: Bönor",
    ],
    "Hämta Outlook för Android<https://aka.ms/AAb9ysg>",
  ),
  headed(
    "Samsung Email",
    "nl",
    [
      "-------- Oorspronkelijk bericht --------",
      `Van: ${SENDER_ADDRESS} `,
      "Datum: 06-11-2026 13:30 (GMT+01:00) ",
      "Aan: Mira <mira@example.org> ",
      "Onderwerp: Bonen ",
    ],
    "Verzonden vanaf mijn Galaxy",
  ),
  headed("GMX", "de", [
    "Gesendet: Freitag, 06. November 2026 um 13:30 Uhr",
    `Von: "Lindenhof" <reply+k7m2q9x4@mail.example.org>`,
    "An: mira@example.org",
    "Betreff: Bohnen",
  ]),
  under("Thunderbird", "de", "Am 06.11.26 um 13:30 schrieb Lindenhof:"),
  under("Thunderbird", "en", "On 06/11/2026 13:30, Lindenhof wrote:", "\n-- \nMira\nThe Long Beds\n"),
  under("Thunderbird", "sv", "Den 2026-11-06 kl. 13:30, skrev Lindenhof:"),
  between("Thunderbird", "it", "Il 06/11/2026 13:30, Lindenhof ha scritto:"),
  replyAbove(
    "Yahoo",
    "es",
    `${authorText("es")}\n    El viernes, 6 de noviembre de 2026, 13:30:00 CET, ${SENDER_ADDRESS} escribió:  \n \n ` +
      `${MAILED_LINES.join("\n ")}\n  `,
  ),
  replyAbove(
    "Yahoo",
    "en",
    `${authorText("en")}\n\nYahoo Mail: Search, Organize, Conquer\n`.replace(
      "\n\nYahoo Mail: Search, Organize, Conquer",
      "\n\nSent from Yahoo Mail on Android",
    ) +
      `\n  On Fri, Nov 6, 2026 at 13:30, Lindenhof<reply+k7m2q9x4@mail.example.org> wrote:   ` +
      `${MAILED_LINES.filter(Boolean).join("  ")}\n`,
  ),
  above(
    "Proton Mail",
    "en",
    `------- Original Message -------\nOn Friday, November 6th, 2026 at 13:30, ${SENDER_ADDRESS} wrote:\n`,
    "Sent with [Proton Mail](https://proton.me/mail/home) secure email.",
  ),
  above("Zoho", "it", `---- On Fri, 06 Nov 2026 13:30:00 +0100 ${SENDER_ADDRESS} wrote ----`),
  above(
    "K-9 Mail",
    "de",
    `Am 6. November 2026 13:30:00 MEZ schrieb ${SENDER_ADDRESS}:`,
    "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
  ),
  above(
    "Superhuman",
    "en",
    `On Fri, Nov 06, 2026 at 1:30 PM, Lindenhof < reply+k7m2q9x4@mail.example.org > wrote:`,
    "Sent via Superhuman ( https://sprh.mn/?vip=mira@example.org )",
  ),
  above("Fastmail", "en", "On Fri, 6 Nov 2026, at 13:30, Lindenhof wrote:"),
  under("Roundcube", "pt", "Em 2026-11-06 13:30, Lindenhof escreveu:"),
  under("mutt", "en", "On Fri, Nov 06, 2026 at 01:30:00PM +0100, Lindenhof wrote:"),
  between("Gnus", "ru", `${SENDER_ADDRESS} writes:`),
];
