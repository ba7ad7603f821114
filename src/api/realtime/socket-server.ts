import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Server } from "socket.io";
import { clientAddress, clientNetwork, type TrustedProxies } from "#platform/client-address";
import { createSecret } from "#platform/ids";
import type { Limits } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import { corsForClient } from "./legacy-clients.ts";

/** Handshakes per minute from one address. After a restart a whole school reconnects at once. */
const HANDSHAKE_LIMIT = { points: 600, seconds: 60 };
/**
 * Maximum characters per frame; a longer one disconnects. Packets are refused at far smaller sizes
 * (`packet-size.ts`), since a disconnected client sends the same again on reconnect.
 */
const MAX_FRAME = 1_000_000;

/** The other web processes of this machine, as far as sockets need them. */
export type SocketPeers = {
  /** Prefix of the session ids of this process. */
  prefix: string;
  /** Passes a request of a session to its process; false if that is this one, or unknown. */
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
 * Socket.IO engine on our HTTP server. On its own it claims every path with its prefix, which includes REST
 * paths; so it gets a server of its own that listens nowhere, and is handed only its requests.
 */
export function openSocketServer(
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
    // The engine reads bodies itself; they pass through unparsed.
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
    // In development Vite has its own WebSocket on this server.
    if (server.server.listenerCount("upgrade") === 1)
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
  });
}
