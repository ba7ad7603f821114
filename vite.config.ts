import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import routes from "./src/web/routes.ts";
import { catalogues } from "./src/web/words/catalogue-plugin.ts";

/**
 * The rooms behind the web stay outside its bundle, so that the server has one copy of each module: one pool, one
 * class `Refusal`. The browser may have the rules and nothing else of them.
 */
function roomsStayOutside(): Plugin {
  const behind = /^#(platform|community|backend)\//;
  return {
    name: "kith:rooms-stay-outside",
    enforce: "pre",
    resolveId(source, importer) {
      if (!behind.test(source)) return null;
      if (this.environment.name !== "client") {
        const door = source.replace(/^#/, "src/") + "/index.ts";
        return { id: this.environment.mode === "dev" ? pathToFileURL(resolve(door)).href : source, external: true };
      }
      if (source === "#community/rules") return null;
      throw new Error(`${source} would reach the browser through ${importer}.`);
    },
  };
}

/**
 * What is built for the browser is drawn by Preact, which speaks React and is a sixth of it (decision 65). The house renders with React
 * itself, and so does a browser under `npm run dev`, where its warnings are worth more than its weight.
 */
const DRAWN_BY: Record<string, string> = {
  react: resolve("src/web/drawing/react.js"),
  "react-dom": "preact/compat",
  "react-dom/client": resolve("src/web/drawing/client.ts"),
  "react/jsx-runtime": "preact/jsx-runtime",
  "use-sync-external-store/shim": "preact/compat",
};

function drawnByPreact(): Plugin {
  return {
    name: "kith:drawn-by-preact",
    enforce: "pre",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    resolveId(source, importer) {
      const other = DRAWN_BY[source];
      return other === undefined ? null : this.resolve(other, importer, { skipSelf: true });
    },
  };
}

const SVG =
  "xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#000' stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'";
type Drawing = { __iconData: { node: [tag: string, attributes: Record<string, string>][] } };

/** In styles/icons.css, `lucide(house)` becomes that icon's drawing. */
function icons(): Plugin {
  const drawn = async (name: string) => {
    const { __iconData } = (await import(`lucide-react/icons/${name}`)) as Drawing;
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
      const drawings = new Map(await Promise.all(names.map(async (name) => [name, await drawn(name)] as const)));
      return { code: code.replace(/lucide\(([\w-]+)\);/g, (_, name: string) => `${drawings.get(name)};`), map: null };
    },
  };
}

/** Of the pages, what readers need wherever they are. */
const SHARED_BY_ALL = /src[\\/]web[\\/](?!account|layouts|messages|resources)/;

const brotli = promisify(brotliCompress);
const zipped = promisify(gzip);

/** Scripts and styles are compressed once, as well as it gets: the server only picks the file that a reader takes. */
function compressedBeside(): Plugin {
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
          await writeFile(`${path}.gz`, await zipped(bytes, { level: 9 }));
        }),
      );
    },
  };
}

/** The same for both: pages name fonts and pictures as the build for the house calls them. */
const HASHES = { hashCharacters: "hex" } as const;

export default defineConfig(({ command }) => ({
  plugins: [roomsStayOutside(), drawnByPreact(), catalogues(routes, "src/web"), icons(), tailwindcss(), reactRouter(), compressedBeside()],
  build: { target: "es2023", assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    // Of seventeen hundred drawings the server needs as few as the browser: all of them took it a dozen megabytes. While one works on
    // the pages, nothing is left out of what is bundled, and the first of them would wait four seconds longer.
    ssr: {
      ...(command === "build" ? { resolve: { noExternal: ["lucide-react"] } } : {}),
      build: { rolldownOptions: { output: HASHES } },
    },
    client: {
      build: {
        manifest: true,
        // What many routes share is one file: alone, each small part would be a line in the head of every page and a
        // request, and would be compressed by itself (168 KB in 45 files became 156 in 18, with gzip).
        // The list of all pages names two hundred files: what tells one build from another in a name does not compress.
        rolldownOptions: {
          output: {
            codeSplitting: { groups: [{ name: "frame", test: SHARED_BY_ALL, minShareCount: 5 }] },
            ...HASHES,
            entryFileNames: "assets/[name]-[hash:7].js",
            chunkFileNames: "assets/[name]-[hash:7].js",
          },
        },
      },
    },
  },
  resolve: {
    // What the client of the line names for browsers is one finished file with everything in it, unminified: from its parts a fifth less comes out.
    alias: {
      "backendless-rt-client": resolve("node_modules/backendless-rt-client/lib/index.js"),
      "socket.io-client": resolve("node_modules/socket.io-client/build/esm/index.js"),
    },
  },
  clearScreen: false,
}));
