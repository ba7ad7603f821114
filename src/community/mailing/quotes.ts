import { Parser } from "htmlparser2";

/**
 * Lines with which programs of mail begin the mail that is answered: in our languages, and in any where they draw a line. They
 * come trimmed, and nothing here may try an end of any length: a line is as long as a stranger makes it.
 */
const BEGINS = [
  /^(On|Am|Le|El|Il|Op|Em|Den|W dniu|в) .{0,300}(wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał\(?a?\)?)[^\n]{0,100}:$/u,
  /^.{0,200}(كتب|كتبت)\s{0,3}:?$/u,
  /^-{2,}\s*(Original Message|Original-Nachricht|Ursprüngliche Nachricht|Message d.origine|Mensaje original|الرسالة الأصلية)\s*-{2,}\s*$/iu,
  /^_{10,}$/,
  /^(From|Von|De|من)\s?:\s.{0,300}$/u,
];
/** A signature, and what telephones add. */
const ENDS = [/^-- ?$/, /^(Sent from my|Von meinem .{1,40} gesendet|Envoyé de mon|Enviado desde mi|أُرسلت من).{0,60}$/iu];

const isBeginning = (lines: string[], at: number) => {
  const line = lines[at]!.trim();
  // Some break such a line in two.
  const two = `${line} ${lines[at + 1]?.trim() ?? ""}`.trim();
  return BEGINS.some((begins, n) => begins.test(line) || (n === 0 && lines[at + 1] !== undefined && line !== "" && begins.test(two)));
};

/**
 * What somebody wrote themselves in an answer by mail: without the mail that they answer below it, a signature, and lines
 * quoted at the end. What is quoted between their own lines stays: it says what they answer.
 */
export function ownWords(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").slice(0, 200_000).split("\n");
  let end = lines.findIndex((line, at) => ENDS.some((ends) => ends.test(line.trimEnd() === "--" ? "-- " : line)) || isBeginning(lines, at));
  if (end < 0) end = lines.length;
  while (end > 0 && /^\s*(>.*)?$/.test(lines[end - 1]!)) end--;
  return lines
    .slice(0, end)
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const BLOCKS = new Set(["p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "pre", "ul", "ol", "table"]);
const SKIPPED = new Set(["style", "script", "head", "title", "blockquote"]);
const QUOTED = /\b(gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote|divRplyFwdMsg)\b/;

/** Signs of HTML, those read at once, and elements within one another. */
const [MOST_HTML, SHARE, DEEPEST] = [500_000, 8_000, 500];

/** The words of a mail that came as HTML alone, without what is quoted in it. */
export function wordsOfHtml(html: string): string {
  let words = "";
  let hidden = 0;
  const open: boolean[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (["br", "img", "hr", "meta", "link", "input"].includes(name)) return void (hidden === 0 && name === "br" && (words += "\n"));
      const hides = SKIPPED.has(name) || QUOTED.test(`${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`);
      open.push(hides);
      if (hides) hidden++;
      else if (hidden === 0 && BLOCKS.has(name)) words += "\n";
    },
    ontext(text) {
      if (hidden === 0) words += text.replace(/\s+/g, " ");
    },
    onclosetag(name) {
      if (["br", "img", "hr", "meta", "link", "input"].includes(name)) return;
      if (open.pop()) hidden--;
      else if (hidden === 0 && BLOCKS.has(name)) words += "\n";
    },
  });
  // What is nested deeper than any mail is was made to be slow: there it ends.
  for (let at = 0; at < Math.min(html.length, MOST_HTML) && open.length < DEEPEST; at += SHARE) parser.write(html.slice(at, at + SHARE));
  return words.replace(/[^\S\n]*\n[^\S\n]*/g, "\n").replace(/\n{3,}/g, "\n\n");
}
