import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin, Rolldown } from "vite";
import { type FileImports, type RouteEntry, listSections, SHELL, textsBySection } from "./section-texts.ts";

const CATALOGUE_FILE = /\/web\/i18n\/([a-z]{2})\.json$/;
const SECTION_MODULE = /^\0virtual:words-([a-z]{2})-(.+)$/;
/** Placeholder for translations. They are only known once the module graph of every page is complete. */
const PLACEHOLDER = /(["'`])@@words ([a-z]{2}) ([^@]*)@@\1/g;
const createPlaceholder = (locale: string, part: string) => JSON.stringify(`@@words ${locale} ${part}@@`);
/** File in which the client build stores the names of its translation files for the server build. */
const FILE_NAMES = "build/words.json";
const FILES_MODULE = "virtual:word-files";

/**
 * Compiles catalogues (`i18n/de.json`: English → German) during the build, so that the browser needs no
 * parser. The server has whole catalogues. The browser loads the texts of the shell, and the texts of a site
 * section when the reader opens that section.
 */
export function catalogues(routes: RouteEntry[], folder: string): Plugin {
  const source = resolve(folder);
  let texts: Map<string, Set<string>> | null = null;
  return {
    name: "kith:catalogues",
    enforce: "pre",
    resolveId: (id) => (id === FILES_MODULE || id.startsWith("virtual:words-") ? `\0${id}` : null),
    load(id) {
      if (id === `\0${FILES_MODULE}`)
        return `export default ${this.environment.mode === "build" ? readFileSync(FILE_NAMES, "utf8") : "{}"}`;
      const [, locale, part] = SECTION_MODULE.exec(id) ?? [];
      return locale && part ? `export default ${createPlaceholder(locale, part)}` : null;
    },
    transform(code, id) {
      const locale = CATALOGUE_FILE.exec(id)?.[1];
      if (!locale) return null;
      const whole = this.environment.name !== "client" || this.environment.mode !== "build";
      const own = whole ? compileCatalogue(JSON.parse(code)) : createPlaceholder(locale, SHELL);
      const parts = whole
        ? []
        : listSections(routes).map(
            (part) => `${JSON.stringify(part)}:()=>import("virtual:words-${locale}-${part}")`,
          );
      return {
        code: `export default ${own};export const parts={${parts.join()}}`,
        map: null,
        moduleType: "js",
      };
    },
    renderChunk(code) {
      if (!code.includes("@@words ")) return null;
      texts ??= textsBySection(routes, source, findImports(this));
      const parts = texts;
      const words = (locale: string, part: string) =>
        compileCatalogue(
          JSON.parse(readFileSync(`${source}/i18n/${locale}.json`, "utf8")),
          parts.get(part) ?? new Set(),
        );
      return {
        code: code.replace(PLACEHOLDER, (_held, _quote, locale: string, part: string) => words(locale, part)),
        map: null,
      };
    },
    writeBundle: {
      handler(_options, bundle) {
        if (this.environment.name === "client")
          writeFileSync(FILE_NAMES, JSON.stringify(findFileNames(bundle)));
      },
    },
  };
}

type Catalogue = Record<string, string>;

/**
 * Compiles a catalogue; with `here`, only the texts in that set. Texts equal to the English ones are left
 * out, unless they have placeholders.
 */
function compileCatalogue(catalogue: Catalogue, here?: Set<string>): string {
  const entries = Object.entries(catalogue)
    .filter(
      ([source, words]) =>
        words !== "" && (words !== source || /[{<]/.test(source)) && (here?.has(source) ?? true),
    )
    .map(([source, words]) => [source, compileMessage(words)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** Finds the imports of each module, by file: the router creates several modules from one page's file. */
function findImports(context: Rolldown.PluginContext): FileImports {
  const brought = new Map<string, string[]>();
  const file = (id: string) => id.split("?")[0]!;
  for (const id of context.getModuleIds()) {
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
    brought.set(file(id), [
      ...(brought.get(file(id)) ?? []),
      ...importedIds.map(file),
      ...dynamicallyImportedIds.map(file),
    ]);
  }
  return (path) => brought.get(path) ?? [];
}

/** Finds the addresses of translation files, by locale and section. */
function findFileNames(bundle: Rolldown.OutputBundle): Record<string, Record<string, string>> {
  const names: Record<string, Record<string, string>> = {};
  for (const made of Object.values(bundle)) {
    const id = made.type === "chunk" ? made.facadeModuleId : null;
    const [, locale, part = SHELL] = (id && (SECTION_MODULE.exec(id) ?? CATALOGUE_FILE.exec(id))) || [];
    if (locale) (names[locale] ??= {})[part] = `/${made.fileName}`;
  }
  return names;
}
