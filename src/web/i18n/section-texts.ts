import { readFileSync } from "node:fs";
import { siteSection } from "./site-section.ts";
import { findPageTexts } from "./source-texts.ts";

/** Name of the section with the texts of the layout, which surrounds every page. */
export const SHELL = "";
/** A page or a layout, as `routes.ts` lists it. */
export type RouteEntry = { file: string; path?: string; index?: boolean; children?: RouteEntry[] };
/** Returns the files that a file's module imports, statically or dynamically. */
export type FileImports = (file: string) => readonly string[];

/** Groups pages by section. Layouts belong to the shell; resource routes have no texts in a browser. */
function groupPagesBySection(routes: readonly RouteEntry[]): Map<string, string[]> {
  const pages = new Map<string, string[]>([[SHELL, ["entry.client.tsx", "root.tsx"]]]);
  const add = ({ file, path, index, children }: RouteEntry) => {
    const part = path === undefined && !index ? SHELL : siteSection(`/${path ?? ""}`);
    if (file.endsWith(".tsx") && path !== "*") pages.set(part, [...(pages.get(part) ?? []), file]);
    children?.forEach(add);
  };
  routes.forEach(add);
  return pages;
}

/** Returns the site sections: the first path segments of the routes. */
export const listSections = (routes: readonly RouteEntry[]): string[] =>
  [...groupPagesBySection(routes).keys()].filter((part) => part !== SHELL);

/** Returns all files that a browser may load, starting from these. */
function reachableFiles(from: readonly string[], imports: FileImports): Set<string> {
  const seen = new Set<string>();
  const queue = [...from];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...imports(file));
  }
  return seen;
}

/**
 * Returns the English texts of each section's pages, without the texts of the shell. `folder` contains the
 * pages.
 */
export function textsBySection(
  routes: readonly RouteEntry[],
  folder: string,
  imports: FileImports,
): Map<string, Set<string>> {
  const saidFrom = (pages: readonly string[]) => {
    const files = reachableFiles(
      pages.map((page) => `${folder}/${page}`),
      imports,
    );
    const ours = [...files].filter((file) => file.startsWith(`${folder}/`) && /\.tsx?$/.test(file));
    return new Set(ours.flatMap((file) => findPageTexts(readFileSync(file, "utf8"))));
  };
  const pages = groupPagesBySection(routes);
  const shell = saidFrom(pages.get(SHELL)!);
  return new Map(
    [...pages].map(([part, its]) => [
      part,
      part === SHELL ? shell : new Set([...saidFrom(its)].filter((text) => !shell.has(text))),
    ]),
  );
}
