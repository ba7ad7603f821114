/** A reply as a mail program formats it, and the text of its author. */
export type ReplySample = {
  name: string;
  type: "plain" | "html";
  body: string;
  /** The author's text without quotations. */
  own: string;
  /** True when the quotations stay in the post: only if the author's text follows them. */
  keepsQuotes: boolean;
};

/** The author's text per language, in two paragraphs each, so that a missing part is noticed. */
export const AUTHOR_TEXTS = {
  en: ["In May, after the ice saints.", "I bring the seeds."],
  de: ["Im Mai, nach den Eisheiligen.", "Ich bringe das Saatgut mit."],
  fr: ["En mai, après les saints de glace.", "J’apporte les graines."],
  es: ["En mayo, después de las heladas.", "Yo llevo las semillas."],
  ar: ["في أيار، بعد الصقيع.", "سأحضر البذور."],
  ja: ["五月、遅霜のあとです。", "種は私が持っていきます。"],
  ru: ["В мае, после заморозков.", "Семена принесу я."],
  sv: ["I maj, efter järnnätterna.", "Jag tar med fröna."],
  pt: ["Em maio, depois das geadas.", "Eu levo as sementes."],
  it: ["A maggio, dopo le gelate.", "Porto io i semi."],
  nl: ["In mei, na de ijsheiligen.", "Ik breng het zaad mee."],
  pl: ["W maju, po zimnych ogrodnikach.", "Przyniosę nasiona."],
  zh: ["五月，霜冻之后。", "种子由我带来。"],
} as const;
export type Language = keyof typeof AUTHOR_TEXTS;

export const SENDER_ADDRESS = "Lindenhof <reply+k7m2q9x4@mail.example.org>";
/** The main text of the mail that we sent. */
export const MAILED_LINES = [
  "Hello Mira,",
  "",
  "Tomas replied to you.",
  "",
  "When do we sow the beans?",
  "And who brings the seeds?",
];

export const authorText = (language: Language, after = "") =>
  AUTHOR_TEXTS[language].join("\n\n") + (after && `\n\n${after}`);
export const quoteLines = (lines: readonly string[] = MAILED_LINES) =>
  lines.map((line) => `> ${line}`.trimEnd()).join("\n");

/** A reply with the author's text above the quotation. */
export const replyAbove = (program: string, language: Language, body: string): ReplySample => ({
  name: `${program} (${language}), own words above`,
  type: body.startsWith("<") ? "html" : "plain",
  body,
  own: authorText(language),
  keepsQuotes: false,
});

/** A reply with the author's text below or between quoted lines. */
export const replyBelow = (program: string, language: Language, body: string): ReplySample => ({
  ...replyAbove(program, language, body),
  name: `${program} (${language}), own words below or between`,
  keepsQuotes: true,
});
