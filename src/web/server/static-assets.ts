import { join } from "node:path";
import { constants } from "node:zlib";
import compress from "@fastify/compress";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";

const CLIENT_BUILD = "build/client";

/**
 * The compression plugin passes the same options to gzip and Zstandard: gzip reads `level`, Zstandard reads
 * `params`.
 */
const ZSTD_OPTIONS = { level: 4, params: { [constants.ZSTD_c_compressionLevel]: 2 } };

/** Serves the client build and assets of dependencies. All responses registered after it are compressed. */
export async function serveStaticAssets(server: FastifyInstance) {
  // Zstandard at level 2 and Brotli at 4 reach about the size of gzip 9 with a quarter of its work.
  await server.register(compress, {
    encodings: ["zstd", "br", "gzip"],
    threshold: 1400,
    // Maximum bytes of a response that is compressed synchronously, like pages (`compressHtml`): compressing
    // as a stream took a quarter of the total time of a data request.
    syncThreshold: 65_536,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: ZSTD_OPTIONS,
  });
  await server.register(statics, {
    root: join(process.cwd(), CLIENT_BUILD),
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) =>
      void reply.header(
        "cache-control",
        path.includes(`${CLIENT_BUILD}/assets/`)
          ? "public, max-age=31536000, immutable"
          : /\/(sw|sw-pages|offline-copy)\.js$/.test(path)
            ? "no-cache"
            : "public, max-age=3600",
      ),
  });
  // Character maps, fonts and decoders that pdf.js fetches when a PDF needs them.
  await server.register(statics, {
    root: join(process.cwd(), "node_modules", "pdfjs-dist"),
    prefix: "/pdfjs/",
    decorateReply: false,
    index: false,
    allowedPath: (path) => /^\/(cmaps|standard_fonts|wasm|iccs)\/[\w.-]+$/.test(path),
    maxAge: "1d",
  });
}
