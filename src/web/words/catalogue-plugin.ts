import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin, Rolldown } from "vite";
import { type Imports, type Page, partsOf, SHELL, wordsByPart } from "./in-parts.ts";

const CATALOGUE = /\/web\/words\/([a-z]{2})\.json$/;
const PART = /^\0virtual:words-([a-z]{2})-(.+)$/;
/** Placeholder for translations that are known only once the module graph of each page is complete. */
const HELD = /(["'`])@@words ([a-z]{2}) ([^@]*)@@\1/g;
const hold = (locale: string, part: string) => JSON.stringify(`@@words ${locale} ${part}@@`);
/** Where the client build stores its file names for the server build. */
const NAMES = "build/words.json";
const FILES = "virtual:word-files";

/**
 * Compiles catalogues (`i18n/de.json`: English → German) during the build, so that the browser needs no
 * parser. The server has whole catalogues. The browser loads the texts of the shell, and those of a site
 * section when it goes there.
 */
export function catalogues(routes: Page[], folder: string): Plugin {
  const source = resolve(folder);
  let said: Map<string, Set<string>> | null = null;
  return {
    name: "kith:catalogues",
    enforce: "pre",
    resolveId: (id) => (id === FILES || id.startsWith("virtual:words-") ? `\0${id}` : null),
    load(id) {
      if (id === `\0${FILES}`) return `export default ${this.environment.mode === "build" ? readFileSync(NAMES, "utf8") : "{}"}`;
      const [, locale, part] = PART.exec(id) ?? [];
      return locale && part ? `export default ${hold(locale, part)}` : null;
    },
    transform(code, id) {
      const locale = CATALOGUE.exec(id)?.[1];
      if (!locale) return null;
      const whole = this.environment.name !== "client" || this.environment.mode !== "build";
      const own = whole ? compiled(JSON.parse(code) as Catalogue) : hold(locale, SHELL);
      const parts = whole ? [] : partsOf(routes).map((part) => `${JSON.stringify(part)}:()=>import("virtual:words-${locale}-${part}")`);
      return { code: `export default ${own};export const parts={${parts.join()}}`, map: null, moduleType: "js" };
    },
    renderChunk(code) {
      if (!code.includes("@@words ")) return null;
      said ??= wordsByPart(routes, source, importsIn(this));
      const parts = said;
      const words = (locale: string, part: string) =>
        compiled(JSON.parse(readFileSync(`${source}/words/${locale}.json`, "utf8")) as Catalogue, parts.get(part) ?? new Set());
      return { code: code.replace(HELD, (_held, _quote, locale: string, part: string) => words(locale, part)), map: null };
    },
    writeBundle: {
      handler(_options, bundle) {
        if (this.environment.name === "client") writeFileSync(NAMES, JSON.stringify(namesIn(bundle)));
      },
    },
  };
}

type Catalogue = Record<string, string>;

/**
 * Compiles a catalogue, or only its texts in `here`. Texts equal to the English ones are left out, unless
 * they have placeholders.
 */
function compiled(catalogue: Catalogue, here?: Set<string>): string {
  const entries = Object.entries(catalogue)
    .filter(([source, words]) => words !== "" && (words !== source || /[{<]/.test(source)) && (here?.has(source) ?? true))
    .map(([source, words]) => [source, compileMessage(words)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The imports of each module, by file: the router makes several modules of a page's file. */
function importsIn(context: Rolldown.PluginContext): Imports {
  const brought = new Map<string, string[]>();
  const file = (id: string) => id.split("?")[0]!;
  for (const id of context.getModuleIds()) {
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
    brought.set(file(id), [...(brought.get(file(id)) ?? []), ...importedIds.map(file), ...dynamicallyImportedIds.map(file)]);
  }
  return (path) => brought.get(path) ?? [];
}

/** The address of the translation file, by locale and section. */
function namesIn(bundle: Rolldown.OutputBundle): Record<string, Record<string, string>> {
  const names: Record<string, Record<string, string>> = {};
  for (const made of Object.values(bundle)) {
    const id = made.type === "chunk" ? made.facadeModuleId : null;
    const [, locale, part = SHELL] = (id && (PART.exec(id) ?? CATALOGUE.exec(id))) || [];
    if (locale) (names[locale] ??= {})[part] = `/${made.fileName}`;
  }
  return names;
}
