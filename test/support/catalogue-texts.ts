import { globSync, readFileSync } from "node:fs";
import { findRefusalTexts, findPageTexts } from "../../src/web/i18n/source-texts.ts";

/** Languages other than English; each catalogue translates every English text. */
export const CATALOGUES = ["de", "fr", "es", "ar"] as const;

function collectTexts(paths: string, inText: (text: string) => string[]): string[] {
  const files = globSync(paths).filter((path) => !/\.(test|fixture)\.ts$/.test(path));
  return files.flatMap((path) => inText(readFileSync(path, "utf8")));
}

/** Returns every English text of the interface, sorted. */
export function collectMessages(): string[] {
  const ofTables = "baas/data/{catalogue,clause,permissions,query,relations,values,writes}";
  const all = [
    ...collectTexts("src/web/**/*.{ts,tsx}", findPageTexts),
    ...collectTexts(
      `src/{web,community,platform,baas/{email,automations},${ofTables}}/**/*.{ts,tsx}`,
      findRefusalTexts,
    ),
    ...collectTexts("src/baas/{extensions/cron,data/data-{errors,quota}}.ts", findRefusalTexts),
  ];
  return [...new Set(all)].filter((text) => /\p{L}{2}/u.test(text)).sort((a, b) => (a < b ? -1 : 1));
}

export const readCatalogue = (locale: string) =>
  JSON.parse(readFileSync(`src/web/i18n/${locale}.json`, "utf8")) as Record<string, string>;
