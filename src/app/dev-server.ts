import type { FastifyInstance } from "fastify";
import { createServer, type ViteDevServer } from "vite";
import type { WebBuild } from "./web-build.ts";

const isWebBuild = (build: object): build is WebBuild => "entry" in build && "routes" in build;

async function loadDevBuild(vite: ViteDevServer): Promise<WebBuild> {
  const build = await vite.ssrLoadModule("virtual:react-router/server-build");
  if (!isWebBuild(build)) throw new Error("Vite returned no build of the pages.");
  return build;
}

/** Serves pages through Vite during development: returns the build and its assets. */
export function startDevServer() {
  const started = Promise.withResolvers<ViteDevServer>();
  const build = async () => loadDevBuild(await started.promise);
  /**
   * Vite answers requests for its own addresses first. It uses the port of Kith, because the content
   * security policy allows no other port.
   */
  const serve = async (server: FastifyInstance) => {
    const vite = await createServer({
      server: { middlewareMode: true, hmr: { server: server.server } },
      appType: "custom",
    });
    started.resolve(vite);
    server.addHook("onRequest", async (request, reply) => {
      const passed = await new Promise<boolean>((done) => {
        reply.raw.once("close", () => done(false));
        vite.middlewares(request.raw, reply.raw, () => done(true));
      });
      if (!passed) reply.hijack();
    });
    server.addHook("onClose", () => vite.close());
  };
  return { build, serve };
}
