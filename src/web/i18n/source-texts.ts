import { messageId } from "./message-id.ts";

const PART = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** Continuation of a text that is split over several lines. */
const MORE = String.raw`(?:\s*\+\s*${PART})*`;
const STRING = `(${PART}${MORE})`;
/** A sentence begins with a capital letter. Messages for API clients are parts of sentences and do not. */
const SENTENCE = String.raw`("\p{Lu}(?:[^"\\\n]|\\.)*"${MORE})`;
/** Patterns of texts that a page shows: `t("…")`, `<Rich text="…">`. */
const PAGE_TEXT = [
  String.raw`\bt\(\s*${STRING}(?:,\s*undefined,\s*${STRING})?`,
  String.raw`<Rich\b[^>]*?\btext=(?:\{\s*)?${STRING}`,
];
/** Patterns of sentences that reach pages as values: messages of refusals and of schemas. */
const REFUSAL_TEXT = [
  String.raw`new (?:SignIn)?Refusal\(\s*"[\w-]+",\s*${STRING}`,
  String.raw`\b(?:clauseFault|schemaFault|badRequest|dataTooLarge)\(\s*${SENTENCE}`,
  String.raw`new TableFault\(\s*[\w.]+,\s*${SENTENCE}`,
  String.raw`\bfields: \{ \w+: ${STRING}`,
  String.raw`\binvalid\(\s*"\w+",\s*${STRING}`,
  String.raw`\.(?:min|max|length|regex|refine|email|url|uuid|int|string|enum|nonempty)\(` +
    String.raw`(?:[^()"]*,\s*)?${STRING},?\s*\)`,
  String.raw`\btext:\s*${SENTENCE}`,
  String.raw`\bmsg\(\s*${STRING}`,
  String.raw`^\s+\d{3}:\s+${SENTENCE},$`,
  String.raw`createErrorResponse\(\s*ctx,\s*\d+,\s*${STRING}`,
  String.raw`description: ${STRING}`,
  String.raw`\btranslateFor\(\s*ctx,\s*${STRING}`,
  String.raw`\b(?:required|optional)(?:Text|Template)\(\s*${STRING}`,
  String.raw`\brequired(?:Text|Template)\(\s*"[^"\n]*",\s*${STRING}`,
  String.raw`\.(?:array|boolean|json|number|record)\((?:\w+,\s*)*${SENTENCE},?\s*\)`,
  String.raw`\bpath: (?:\w+|\[[^\]]*\]),\s*message: ${SENTENCE}`,
  String.raw`\berror: ${SENTENCE}`,
  String.raw`\bassertJsonSize\([^"\n]*, ${STRING}\)`,
];

const parseText = (source: string): string =>
  [...source.matchAll(new RegExp(PART, "g"))].map(([part]): string => JSON.parse(part)).join("");

const findMatches = (text: string, forms: string[]): string[] =>
  forms.flatMap((form) =>
    [...text.matchAll(new RegExp(form, "gmsu"))].map(([, english, context]) =>
      messageId(parseText(english!), context && parseText(context)),
    ),
  );

/** The English texts that a source file shows on a page. */
export const findPageTexts = (text: string): string[] => findMatches(text, PAGE_TEXT);
/** Returns the English texts of refusals in a source file; the server translates them. */
export const findRefusalTexts = (text: string): string[] => findMatches(text, REFUSAL_TEXT);
