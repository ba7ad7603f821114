import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** `types` holds the imports of types only, which are removed before the program runs. */
export type SourceFile = { path: string; imports: string[]; types?: string[] };

/** Other layers that each layer may import. */
const IMPORTS: Record<string, string[]> = {
  platform: [],
  community: ["platform"],
  baas: ["platform"],
  api: ["community", "baas", "platform"],
  web: ["community", "baas", "platform"],
  "event-handlers": ["community", "baas", "platform"],
};

/** Layers that consist of modules: one module may import another only as `#layer/module`. */
const WITH_MODULES = ["platform", "community", "baas"];

/** Modules of the community from the lowest up: each may import only modules in earlier rows. */
const MODULE_ORDER = [
  ["rules"],
  ["common", "audit"],
  ["settings", "prevention"],
  ["accounts"],
  ["friends"],
  ["groups"],
  ["uploads", "bots"],
  ["discussions", "conversations"],
  ["resources", "calendar"],
  ["notifications", "moderation", "activity"],
  ["search", "import-export", "mail", "api-entities"],
  ["push", "services", "overview", "setup", "webhooks"],
];

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s(?:[^"'`;]*?\sfrom\s)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

const TYPE_IMPORT = /(?:^|[\s;])(?:import|export)\stype\s[^"'`;]*?\sfrom\s["']([^"']+)["']/g;

export const importsOf = (text: string): string[] =>
  [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2])!);

const typeImportsOf = (text: string): string[] => [...text.matchAll(TYPE_IMPORT)].map((match) => match[1]!);

export const sourceFiles = (): SourceFile[] =>
  globSync("src/**/*.{ts,tsx}").map((path) => {
    const text = readFileSync(path, "utf8");
    return { path: path.replaceAll("\\", "/"), imports: importsOf(text), types: typeImportsOf(text) };
  });

/** Returns a sentence for each import that breaks the layering. */
export const layeringErrors = (files: SourceFile[]): string[] =>
  files.flatMap(({ path, imports }) => imports.flatMap((target) => errorOfImport(path, target) ?? []));

const locate = (path: string) => {
  const [, layer = "", module = ""] = path.split("/");
  return { layer: layer in IMPORTS ? layer : null, module };
};

function errorOfImport(path: string, target: string): string | null {
  const from = locate(path);
  if (from.layer === null) return null;
  if (target.startsWith(".")) return errorOfRelativeImport(path, from.layer, target);
  if (!target.startsWith("#")) return null;
  const [layer = "", module = "", ...deeper] = target.slice(1).split("/");
  if (from.layer === "community" && from.module === "rules")
    return `${path} imports ${target}, but rules import nothing`;
  if (deeper.length > 0) return `${path} imports ${target}, which is internal to #${layer}/${module}`;
  if (layer !== from.layer && !IMPORTS[from.layer]!.includes(layer))
    return `${path} imports ${target}, but ${from.layer} may not import ${layer}`;
  if (layer === "community" && from.layer === "community") return errorOfOrder(path, from.module, module);
  return null;
}

/** A relative import must stay in its layer and, if the layer has modules, in its module. */
function errorOfRelativeImport(path: string, layer: string, target: string): string | null {
  const file = normalize(join(dirname(path), target)).replaceAll("\\", "/");
  if (path.endsWith(".test.ts") && file.startsWith("test/")) return null;
  const { module } = locate(path);
  const home = WITH_MODULES.includes(layer) ? `src/${layer}/${module}/` : `src/${layer}/`;
  return file.startsWith(home) ? null : `${path} imports ${target}, which leaves ${home}`;
}

function errorOfOrder(path: string, from: string, to: string): string | null {
  const row = (module: string) => MODULE_ORDER.findIndex((modules) => modules.includes(module));
  if (row(from) < 0 || row(to) < 0)
    return `${path}: the module ${row(to) < 0 ? to : from} has no place in the order`;
  return row(to) < row(from) ? null : `${path} imports #community/${to}, which is not below ${from}`;
}

/** Returns groups of files that import one another in a circle by relative paths, each group sorted. */
export function importCycles(files: SourceFile[]): string[][] {
  const known = new Set(files.map(({ path }) => path));
  const graph = new Map(
    files.map(({ path, imports, types = [] }) => [
      path,
      imports
        .filter((target) => target.startsWith(".") && !types.includes(target))
        .map((target) => normalize(join(dirname(path), target)).replaceAll("\\", "/"))
        .filter((file) => known.has(file)),
    ]),
  );
  return stronglyConnected(graph).filter((group) => group.length > 1);
}

/** Tarjan's algorithm: https://en.wikipedia.org/wiki/Tarjan%27s_strongly_connected_components_algorithm */
function stronglyConnected(graph: Map<string, string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== index.get(node)) return;
    groups.push(stack.splice(stack.indexOf(node)).toSorted());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return groups;
}
