import type { FastifyInstance } from "fastify";
import { sameSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { RealtimeHouse } from "./room.ts";

/** Where clients find the sockets: by the keys in the address, or by this origin alone. */
export function serveInfo(server: FastifyInstance, house: Pick<RealtimeHouse, "appId" | "clientKey" | "serverKey" | "origin">) {
  const info = () => ({
    appId: house.appId,
    apiKey: house.clientKey,
    rtURL: house.origin(),
    loggers: [{ name: "Global logger", level: "all" }],
  });
  server.get<{ Params: { appId: string; apiKey: string } }>("/:appId/:apiKey/info", async ({ params }, reply) => {
    if (params.appId !== house.appId) throw new Refusal("not-found", "There is nothing at this address.");
    if (![house.clientKey, house.serverKey].some((key) => sameSecret(key, params.apiKey)))
      throw new Refusal("not-allowed", "This is not a key of this community.");
    return reply.header("access-control-allow-origin", "*").send(info());
  });
  server.get("/api/info", async (_request, reply) => reply.header("access-control-allow-origin", "*").send(info()));
}
