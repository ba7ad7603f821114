import { readFileSync } from "node:fs";
import { partOf } from "./part.ts";
import { spokenIn } from "./spoken.ts";

/** What stands around every page: it says the same everywhere. */
export const SHELL = "";
/** A page, or a layout around pages, as `routes.ts` has it. */
export type Page = { file: string; path?: string; index?: boolean; children?: Page[] };
/** The files that the module of a file brings along, at once or when they are wanted. */
export type Imports = (file: string) => readonly string[];

/** The pages of each part of the site. Layouts belong to the shell; what answers without a page says nothing in a browser. */
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

/** Parts of the site, by the first words of their addresses. */
export const partsOf = (routes: readonly Page[]): string[] => [...pagesByPart(routes).keys()].filter((part) => part !== SHELL);

/** Everything that a browser may come to run on the way from these files. */
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

/** The English texts that the pages of each part say, but for those that the shell says already. `folder` is where pages lie. */
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
