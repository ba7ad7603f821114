import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Server } from "socket.io";
import { clientAddress, clientNetwork, type TrustedProxies } from "#platform/client-address";
import { createSecret } from "#platform/ids";
import type { Limits } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import { corsForClient } from "./legacy-clients.ts";

/** Maximum handshakes per minute from one address. After a restart a whole school reconnects at once. */
const HANDSHAKE_LIMIT = { points: 600, seconds: 60 };
/**
 * Maximum characters of a frame; a longer frame disconnects the client. Packets are refused at much smaller
 * sizes (`packet-size.ts`), because a disconnected client would send the same packet again after
 * reconnecting.
 */
const MAX_FRAME = 1_000_000;

/** Access to the other web processes of this machine, as far as sockets need it. */
export type SocketPeers = {
  /** Prefix of the session ids that this process creates. */
  prefix: string;
  /**
   * Forwards a request to the process that has its session. Returns false if that is this process, or if the
   * process is unknown.
   */
  forward: (sessionId: string, request: IncomingMessage, response: ServerResponse) => boolean;
  forwardUpgrade: (sessionId: string, request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
};

type Options = {
  appId: string;
  limits: Limits;
  trustProxy: TrustedProxies | false;
  peers?: SocketPeers | null;
};

/**
 * Creates the Socket.IO engine on our HTTP server. If it were attached directly, the engine would handle every
 * path with its prefix, including REST paths. It is therefore attached to a second server, which does not
 * listen and receives only the engine's requests.
 */
export function createSocketServer(
  server: FastifyInstance,
  { appId, limits, trustProxy, peers = null }: Options,
): Server {
  const io = new Server(createServer(), {
    serveClient: false,
    cors: corsForClient,
    // Older SDKs use Socket.IO 2.
    allowEIO3: true,
    maxHttpBufferSize: MAX_FRAME,
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: 25_000,
    pingTimeout: 20_000,
    connectTimeout: 10_000,
    allowRequest: (request, answer) => {
      limits.take("handshakes", HANDSHAKE_LIMIT, clientNetwork(clientAddress(request, trustProxy))).then(
        () => answer(null, true),
        () => answer("too many", false),
      );
    },
  });
  const paths = [`/${appId}/`, "/socket.io/"];
  if (peers) io.engine.generateId = () => peers.prefix + createSecret();
  servePolling(server, io, paths, peers);
  serveUpgrades(server, io, paths, peers);
  return io;
}

function servePolling(server: FastifyInstance, io: Server, paths: string[], peers: SocketPeers | null) {
  void server.register(async (instance) => {
    // The engine reads request bodies itself, so they are left unparsed.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    for (const url of paths)
      instance.route<{ Querystring: { EIO?: string; sid?: unknown } }>({
        method: ["GET", "POST", "OPTIONS"],
        url,
        handler: async (request, reply) => {
          if (request.method !== "OPTIONS" && !request.query.EIO)
            throw new Refusal("not-found", "There is no page at this address.");
          reply.hijack();
          if (peers?.forward(String(request.query.sid ?? ""), request.raw, reply.raw)) return;
          io.engine.handleRequest(request.raw, reply.raw);
        },
      });
  });
}

function serveUpgrades(server: FastifyInstance, io: Server, paths: string[], peers: SocketPeers | null) {
  server.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const params = new URLSearchParams(query);
    if (paths.includes(path) && params.has("EIO")) {
      if (peers?.forwardUpgrade(params.get("sid") ?? "", request, socket, head)) return;
      return void io.engine.handleUpgrade(request, socket, head);
    }
    // In development Vite also listens for WebSocket upgrades on this server.
    if (server.server.listenerCount("upgrade") === 1)
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
  });
}
