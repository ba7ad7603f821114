import { once } from "node:events";
import {
  Agent,
  createServer,
  get,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Duplex } from "node:stream";

/** Milliseconds within which another process has to answer. */
const PEER_TIMEOUT = 5_000;

/**
 * Connects the web processes of one installation, each of which has a unix socket in a folder. A polling
 * request of a real-time client may arrive at any process, but the client's session is in only one of them.
 */
export type Peers = {
  /** Prefix of the session ids of this process. */
  prefix: string;
  /**
   * Passes a request to the process that has this session. Returns false if this process has the session, or
   * if the session is unknown.
   */
  forward: (sessionId: string, request: IncomingMessage, response: ServerResponse) => boolean;
  /** Like `forward`, for an upgrade to a WebSocket. */
  forwardUpgrade: (sessionId: string, request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Requests a path from the other processes and returns their answers by process number. */
  askOthers: (path: string) => Promise<Map<string, string>>;
  /**
   * Opens this process's own socket, on which its HTTP server answers too. Call it when the server is ready.
   */
  listen: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Creates the connections from the process with this number to the processes whose sockets are in `folder`.
 */
export function createPeers(folder: string, number: number, server: Server): Peers {
  const own = join(folder, `${number}.sock`);
  const inner = createServer((...exchange) => server.emit("request", ...exchange));
  // This process keeps idle connections open, and the forwarding process closes them. Otherwise a request
  // could be sent at the moment in which its connection is closed.
  inner.keepAliveTimeout = 0;
  const agent = new Agent({ keepAlive: true });
  inner.on("upgrade", (...exchange) => server.emit("upgrade", ...exchange));
  const socketOf = (sessionId: string) => {
    const other = /^(\d{1,9})\./.exec(sessionId)?.[1];
    return other === undefined || Number(other) === number ? null : join(folder, `${other}.sock`);
  };
  return {
    prefix: `${number}.`,
    forward(sessionId, incoming, response) {
      const socketPath = socketOf(sessionId);
      if (socketPath === null) return false;
      const { method, url, headers } = incoming;
      const outgoing = request({ socketPath, agent, method, path: url, headers: endToEnd(headers) });
      outgoing.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
        answer.pipe(response);
      });
      outgoing.on("error", () => {
        if (response.headersSent) response.destroy();
        else response.writeHead(400).end();
      });
      response.on("close", () => outgoing.destroy());
      incoming.pipe(outgoing);
      return true;
    },
    forwardUpgrade(sessionId, incoming, socket, head) {
      const path = socketOf(sessionId);
      if (path === null) return false;
      const peer = connect(path, () => {
        peer.write(requestHead(incoming));
        peer.write(head);
        socket.pipe(peer).pipe(socket);
      });
      for (const [one, other] of [
        [socket, peer],
        [peer, socket],
      ] as const)
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
      return true;
    },
    async askOthers(path) {
      const names = (await readdir(folder)).filter((name) => name !== `${number}.sock`);
      const answers = await Promise.allSettled(names.map((name) => fetchFrom(join(folder, name), path)));
      return new Map(
        answers.flatMap((it, i) =>
          it.status === "fulfilled" ? [[names[i]!.replace(".sock", ""), it.value]] : [],
        ),
      );
    },
    async listen() {
      await rm(own, { force: true });
      // Without `exclusive`, Node's cluster module would share the socket with the other processes.
      inner.listen({ path: own, exclusive: true });
      await once(inner, "listening");
    },
    async close() {
      agent.destroy();
      inner.closeAllConnections();
      await new Promise((done) => inner.close(done));
      await rm(own, { force: true });
    },
  };
}

/**
 * Removes the headers of a single connection. With `Connection: close`, the other process would close a
 * connection while its answer is still unread, and the next write to it would fail.
 */
function endToEnd({ connection: _, "keep-alive": __, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}

/** Returns request line and headers as they arrived. */
function requestHead({ method, url, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/1.1\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  return `${head}\r\n`;
}

async function fetchFrom(socketPath: string, path: string): Promise<string> {
  const sent = get({ socketPath, path, signal: AbortSignal.timeout(PEER_TIMEOUT) });
  const response: IncomingMessage = (await once(sent, "response"))[0];
  if (response.statusCode !== 200) throw new Error(`Another process answered ${response.statusCode}.`);
  return text(response);
}
