import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { basename, resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import routes from "./src/web/routes.ts";
import { catalogues } from "./src/web/i18n/catalogue-plugin.ts";
import { FONT_FOLDER, subsetFonts } from "./src/web/styles/font-subsets.ts";

/** Modules behind the web that reach the browser: pure functions without imports of the server. */
const BROWSER_MODULES = ["#community/rules", "#platform/objects"];

/**
 * Excludes the layers behind the web from its bundle, so that the server has only one copy of each module:
 * one pool, one class `Refusal`.
 */
function externalizeLayers(): Plugin {
  const behind = /^#(platform|community|baas)\//;
  return {
    name: "kith:server-modules-outside",
    enforce: "pre",
    resolveId(source, importer) {
      if (!behind.test(source)) return null;
      if (this.environment.name !== "client") {
        const door = source.replace(/^#/, "src/") + "/index.ts";
        return {
          id: this.environment.mode === "dev" ? pathToFileURL(resolve(door)).href : source,
          external: true,
        };
      }
      if (BROWSER_MODULES.includes(source)) return null;
      throw new Error(`${source} would reach the browser through ${importer}.`);
    },
  };
}

const SVG =
  "xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#000' " +
  "stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'";
type IconModule = { __iconData: { node: [tag: string, attributes: Record<string, string>][] } };

/** Replaces `lucide(house)` in styles/icons.css by the icon of that name. */
function inlineIcons(): Plugin {
  const drawn = async (name: string) => {
    const { __iconData }: IconModule = await import(`lucide-react/icons/${name}`);
    const shapes = __iconData.node.map(([tag, { key: _, ...attributes }]) => {
      const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}='${value}'`);
      return `<${tag}${written.join("")}/>`;
    });
    return `url("data:image/svg+xml,${`<svg ${SVG}>${shapes.join("")}</svg>`.replace(/[<>#]/g, encodeURIComponent)}")`;
  };
  return {
    name: "kith:icons",
    enforce: "pre",
    async transform(code, id) {
      if (!id.endsWith("/web/styles/icons.css")) return null;
      const names = [...code.matchAll(/lucide\(([\w-]+)\);/g)].map((match) => match[1]!);
      const drawings = new Map(
        await Promise.all(names.map(async (name) => [name, await drawn(name)] as const)),
      );
      return {
        code: code.replace(/lucide\(([\w-]+)\);/g, (_, name: string) => `${drawings.get(name)};`),
        map: null,
      };
    },
  };
}

/** Modules of the layout that every page has. */
const FRAME = /node_modules|src[\\/](web[\\/](?!account|calendar|messages|moderation|resources)|community)/;

const ADMIN = /src[\\/]web[\\/](admin|layouts[\\/]admin)/;
const SHARED_BY_FEW = {
  tags: ["$initial" as const],
  minShareCount: 2,
  entriesAware: true,
  entriesAwareMergeThreshold: 2_300,
};

const brotli = promisify(brotliCompress);
const gzipBytes = promisify(gzip);

/**
 * Compresses scripts and styles once at the highest level, so that the server only chooses a file by
 * encoding.
 */
function precompress(): Plugin {
  return {
    name: "kith:compressed-beside",
    applyToEnvironment: (environment) => environment.name === "client",
    async writeBundle({ dir = "" }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = resolve(dir, name);
          const bytes = await readFile(path);
          await writeFile(`${path}.br`, await brotli(bytes));
          await writeFile(`${path}.gz`, await gzipBytes(bytes, { level: 9 }));
        }),
      );
    },
  };
}

const FIRST = /src[\\/]web[\\/](root|entry\.client|layouts[\\/])/;

/**
 * Lists in each entry all files that it needs, including indirect ones. Otherwise the browser would discover
 * imports file by file: three levels of imports would be three successive rounds of requests at each
 * navigation.
 */
function hoistImports(): Plugin {
  return {
    name: "kith:hoisted-imports",
    applyToEnvironment: (environment) => environment.name === "client",
    generateBundle(_, bundle) {
      const importsOf = (name: string) => (bundle[name]?.type === "chunk" ? bundle[name].imports : []);
      for (const chunk of Object.values(bundle)) {
        // The layout of all pages is loaded with the first page, whose entry lists its files.
        if (chunk.type !== "chunk" || !chunk.isEntry || FIRST.test(chunk.facadeModuleId ?? "")) continue;
        const needed = new Set(chunk.imports);
        for (const name of needed) for (const next of importsOf(name)) needed.add(next);
        for (const name of needed.difference(new Set(chunk.imports)))
          chunk.code += `\nimport"./${basename(name)}";`;
      }
    },
  };
}

/**
 * Both builds use the same names, because pages refer to fonts and pictures by the names of the server
 * build.
 */
const HASH_FORMAT = { hashCharacters: "hex" } as const;

export default defineConfig(({ command }) => ({
  plugins: [
    externalizeLayers(),
    catalogues(routes, "src/web"),
    inlineIcons(),
    subsetFonts(),
    tailwindcss(),
    reactRouter(),
    hoistImports(),
    precompress(),
  ],
  build: { target: "es2023", assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    // The server needs as few of the seventeen hundred icons as the browser: all of them would take a dozen
    // megabytes. In development, where dropping unused modules would delay the first page by four seconds,
    // all are loaded.
    ssr: {
      ...(command === "build" ? { resolve: { noExternal: ["lucide-react"] } } : {}),
      build: { rolldownOptions: { output: HASH_FORMAT } },
    },
    client: {
      build: {
        manifest: true,
        // Few script files, loaded in one round of requests. Code shared by five routes belongs to the
        // layout; code shared by fewer is merged into files of at least some 3 KB, because each separate
        // file would be a request and compressed on its own. The route manifest names all files, so names
        // have short hashes: random hashes do not compress.
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: "frame", test: FRAME, tags: ["$initial"], minShareCount: 5, priority: 2 },
                // Not merged with the code of members' pages.
                { name: "admin", test: ADMIN, ...SHARED_BY_FEW, priority: 2 },
                { name: "shared", ...SHARED_BY_FEW, priority: 1 },
              ],
            },
            ...HASH_FORMAT,
            entryFileNames: "assets/[name]-[hash:7].js",
            // The default name of a group lists the routes that share it; only its first part is used.
            chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash:7].js`,
          },
        },
      },
    },
  },
  resolve: {
    // The socket client's browser entry is one unminified bundle; building it from its parts is a fifth
    // smaller.
    alias: {
      "~fonts": FONT_FOLDER,
      "backendless-rt-client": resolve("node_modules/backendless-rt-client/lib/index.js"),
      "socket.io-client": resolve("node_modules/socket.io-client/build/esm/index.js"),
    },
  },
  clearScreen: false,
}));
