/** A reply as a mail program formats it, and the text of its author. */
export type Shape = {
  name: string;
  type: "plain" | "html";
  body: string;
  /** The author's text without quotations. */
  own: string;
  /** True when the quotations stay in the post: only if the author's text follows them. */
  keepsQuotes: boolean;
};

/** The author's text per language, in two paragraphs each, so that a missing part is noticed. */
export const OWN = {
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
export type Language = keyof typeof OWN;

export const FROM = "Lindenhof <reply+k7m2q9x4@mail.example.org>";
/** The main text of the mail that we sent. */
export const MAILED = [
  "Hello Mira,",
  "",
  "Tomas replied to you.",
  "",
  "When do we sow the beans?",
  "And who brings the seeds?",
];

export const own = (language: Language, after = "") => OWN[language].join("\n\n") + (after && `\n\n${after}`);
export const quoted = (lines: readonly string[] = MAILED) =>
  lines.map((line) => `> ${line}`.trimEnd()).join("\n");

/** A reply with the author's text above the quotation. */
export const top = (program: string, language: Language, body: string): Shape => ({
  name: `${program} (${language}), own words above`,
  type: body.startsWith("<") ? "html" : "plain",
  body,
  own: own(language),
  keepsQuotes: false,
});

/** A reply with the author's text below or between quoted lines. */
export const below = (program: string, language: Language, body: string): Shape => ({
  ...top(program, language, body),
  name: `${program} (${language}), own words below or between`,
  keepsQuotes: true,
});
