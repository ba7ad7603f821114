import type { FastifyInstance } from "fastify";
import { sameSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { RealtimeHouse } from "./room.ts";

/** Programs in browsers of other origins may ask; what they may send with it stands here. No cookie ever counts at this door. */
const FROM_ANYWHERE = { "access-control-allow-origin": "*" };
const PREFLIGHT = {
  ...FROM_ANYWHERE,
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "content-type, user-token, bl-execution-type",
  "access-control-max-age": "86400",
};

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
    return reply.headers(FROM_ANYWHERE).send(info());
  });
  for (const path of ["/:appId/:apiKey/info", "/api/info"])
    server.options(path, async (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
  server.get("/api/info", async (_request, reply) => reply.headers(FROM_ANYWHERE).send(info()));
}
