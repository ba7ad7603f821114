import { globSync, readFileSync } from "node:fs";

/** The languages beside English, whose catalogues hold a text for each English one. */
export const CATALOGUES = ["de", "fr", "es", "ar"] as const;

const STRING = String.raw`("(?:[^"\\\n]|\\.)*")`;
/** What pages say: `t("…")`, `<Rich text="…">`. */
const SPOKEN = [String.raw`\bt\(\s*${STRING}`, String.raw`<Rich\b[^>]*?\btext=\{?${STRING}`];
/** Sentences that reach pages as values: refusals, and what schemas say of a field. */
const REFUSED = [
  String.raw`new (?:SignIn)?Refusal\(\s*"[\w-]+",\s*${STRING}`,
  String.raw`\binvalid\(\s*"\w+",\s*${STRING}`,
  String.raw`\.(?:min|max|length|regex|refine|email|url|uuid|int|string|enum|nonempty)\((?:[^()"]*,\s*)?${STRING}\s*\)`,
  String.raw`\bsay:\s*${STRING}`,
  String.raw`^\s+\d{3}: ${STRING},$`,
  String.raw`answer\(visit, \d+, ${STRING}`,
  String.raw`description: ${STRING}`,
];

function found(paths: string, forms: string[]): string[] {
  const files = globSync(paths).filter((path) => !/\.(test|fixture)\.ts$/.test(path));
  return files.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return forms.flatMap((form) => [...text.matchAll(new RegExp(form, "gms"))].map((match) => JSON.parse(match[1]!) as string));
  });
}

/** Every English text that the interface can say, sorted. */
export function spokenWords(): string[] {
  const all = [
    ...found("src/web/**/*.{ts,tsx}", [...SPOKEN, ...REFUSED]),
    ...found("src/{community,platform,backend/mails}/**/*.ts", REFUSED),
  ];
  return [...new Set(all)].filter((text) => /\p{L}{2}/u.test(text)).sort((a, b) => (a < b ? -1 : 1));
}

export const catalogue = (locale: string) => JSON.parse(readFileSync(`src/web/words/${locale}.json`, "utf8")) as Record<string, string>;
