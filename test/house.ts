import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export type SourceFile = { path: string; imports: string[] };

/** Layers that a layer may import, besides itself. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  platform: [],
  community: ["platform"],
  backend: ["platform"],
  wire: ["community", "backend", "platform"],
  web: ["community", "backend", "platform"],
  relay: ["community", "backend", "platform"],
};

/** Layers of modules with public APIs: a module imports another as `#layer/module` only. */
const MODULAR_LAYERS = ["platform", "community", "backend"];

/** Modules of the community, by what each may build on. Those on one line do not import each other. */
const MODULE_LEVELS = [
  ["rules"],
  ["common", "audit"],
  ["settings"],
  ["people"],
  ["friends"],
  ["groups"],
  ["uploads"],
  ["discussions", "conversations"],
  ["resources"],
  ["notifications", "moderation", "activity"],
  ["search", "transfer", "mailing", "published"],
  ["pushing", "services", "overview"],
];

const IMPORT = /(?:^|[\s;])(?:import|export)\s(?:[^"'`;]*?\sfrom\s)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

export const parseImports = (text: string): string[] => [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2])!);

export const readSourceFiles = (): SourceFile[] =>
  globSync("src/**/*.{ts,tsx}").map((path) => ({ path: path.replaceAll("\\", "/"), imports: parseImports(readFileSync(path, "utf8")) }));

/** All violations of the layers in these files, one sentence each. */
export const findViolations = (files: SourceFile[]): string[] =>
  files.flatMap(({ path, imports }) => imports.flatMap((wanted) => checkImport(path, wanted) ?? []));

const locateModule = (path: string) => {
  const [, room = "", part = ""] = path.split("/");
  return { room: room in ALLOWED_IMPORTS ? room : null, part };
};

function checkImport(path: string, wanted: string): string | null {
  const from = locateModule(path);
  if (from.room === null) return null;
  if (wanted.startsWith(".")) return checkRelativeImport(path, from.room, wanted);
  if (!wanted.startsWith("#")) return null;
  const [room = "", part = "", ...deeper] = wanted.slice(1).split("/");
  if (from.room === "community" && from.part === "rules") return `${path} imports ${wanted}, but rules import nothing`;
  if (deeper.length > 0) return `${path} imports ${wanted}, which is behind the door of #${room}/${part}`;
  if (room !== from.room && !ALLOWED_IMPORTS[from.room]!.includes(room))
    return `${path} imports ${wanted}, but ${from.room} may not look into ${room}`;
  if (room === "community" && from.room === "community") return checkModuleLevel(path, from.part, part);
  return null;
}

/** A relative path stays in its layer, and in a layer of modules in its module. */
function checkRelativeImport(path: string, room: string, wanted: string): string | null {
  const target = normalize(join(dirname(path), wanted)).replaceAll("\\", "/");
  // Tests and their fixtures may import the shared test support.
  if (/\.(test|fixture)\.ts$/.test(path) && target.startsWith("test/")) return null;
  const { part } = locateModule(path);
  const home = MODULAR_LAYERS.includes(room) ? `src/${room}/${part}/` : `src/${room}/`;
  return target.startsWith(home) ? null : `${path} imports ${wanted}, which leaves ${home}`;
}

function checkModuleLevel(path: string, from: string, to: string): string | null {
  const storey = (part: string) => MODULE_LEVELS.findIndex((parts) => parts.includes(part));
  if (storey(from) < 0 || storey(to) < 0) return `${path}: the plan of the house does not know the part ${storey(to) < 0 ? to : from}`;
  return storey(to) < storey(from) ? null : `${path} imports #community/${to}, which does not stand below ${from}`;
}
