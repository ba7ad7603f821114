import { join } from "node:path";
import { constants } from "node:zlib";
import compress from "@fastify/compress";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";

const CLIENT = "build/client";

/** The plugin hands gzip and Zstandard the same options: each takes its own. */
const LIGHTLY = { level: 4, params: { [constants.ZSTD_c_compressionLevel]: 2 } };

/** Serves what was built for browsers, and what they fetch of others' packages; whatever the server answers is compressed from here on. */
export async function serveBuilt(server: FastifyInstance) {
  // Zstandard at 2 and Brotli at 4: the bytes of gzip 9 for a quarter of its work.
  await server.register(compress, {
    encodings: ["zstd", "br", "gzip"],
    threshold: 1400,
    // In one go, as pages are (`squeezed`): a stream for what a page's script asks for took a quarter of the whole answer.
    syncThreshold: 65_536,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: LIGHTLY,
  });
  await server.register(statics, {
    root: join(process.cwd(), CLIENT),
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) =>
      void reply.header(
        "cache-control",
        path.includes(`${CLIENT}/assets/`)
          ? "public, max-age=31536000, immutable"
          : /\/(sw|sw-pages|kept)\.js$/.test(path)
            ? "no-cache"
            : "public, max-age=3600",
      ),
  });
  // What pdf.js fetches when a PDF needs it: alphabets, fonts, decoders.
  await server.register(statics, {
    root: join(process.cwd(), "node_modules", "pdfjs-dist"),
    prefix: "/pdfjs/",
    decorateReply: false,
    index: false,
    allowedPath: (path) => /^\/(cmaps|standard_fonts|wasm|iccs)\/[\w.-]+$/.test(path),
    maxAge: "1d",
  });
}
