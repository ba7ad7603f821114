import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { createServer } from "vite";

/** Serves pages through Vite during development: returns the build and its assets. */
export function startDevServer() {
  const started = Promise.withResolvers<Awaited<ReturnType<typeof createServer>>>();
  const build = async () =>
    (await (await started.promise).ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
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
