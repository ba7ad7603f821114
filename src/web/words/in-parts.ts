import { readFileSync } from "node:fs";
import { partOf } from "./part.ts";
import { spokenIn } from "./spoken.ts";

/** The section of everything around the pages, whose texts are the same everywhere. */
export const SHELL = "";
/** A page or a layout, as `routes.ts` lists it. */
export type Page = { file: string; path?: string; index?: boolean; children?: Page[] };
/** The files that a file's module imports, statically or dynamically. */
export type Imports = (file: string) => readonly string[];

/** The pages of each section. Layouts belong to the shell; resource routes have no texts in a browser. */
function pagesByPart(routes: readonly Page[]): Map<string, string[]> {
  const pages = new Map<string, string[]>([[SHELL, ["entry.client.tsx", "root.tsx"]]]);
  const add = ({ file, path, index, children }: Page) => {
    const part = path === undefined && !index ? SHELL : partOf(`/${path ?? ""}`);
    if (file.endsWith(".tsx") && path !== "*") pages.set(part, [...(pages.get(part) ?? []), file]);
    children?.forEach(add);
  };
  routes.forEach(add);
  return pages;
}

/** Site sections, by the first path segment. */
export const partsOf = (routes: readonly Page[]): string[] => [...pagesByPart(routes).keys()].filter((part) => part !== SHELL);

/** All files that a browser may load starting from these. */
function reached(from: readonly string[], imports: Imports): Set<string> {
  const seen = new Set<string>();
  const queue = [...from];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...imports(file));
  }
  return seen;
}

/** English texts of the pages of each section, without those of the shell. `folder` contains the pages. */
export function wordsByPart(routes: readonly Page[], folder: string, imports: Imports): Map<string, Set<string>> {
  const saidFrom = (pages: readonly string[]) => {
    const files = reached(
      pages.map((page) => `${folder}/${page}`),
      imports,
    );
    const ours = [...files].filter((file) => file.startsWith(`${folder}/`) && /\.tsx?$/.test(file));
    return new Set(ours.flatMap((file) => spokenIn(readFileSync(file, "utf8"))));
  };
  const pages = pagesByPart(routes);
  const shell = saidFrom(pages.get(SHELL)!);
  return new Map(
    [...pages].map(([part, its]) => [part, part === SHELL ? shell : new Set([...saidFrom(its)].filter((text) => !shell.has(text)))]),
  );
}
