import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  isProcessRunning,
  type ServerProcess,
  startServer,
  waitUntil,
} from "../support/processes/server-process.ts";
import { connectionUrl, createDatabase } from "../support/setup/global-setup.ts";

/** One installation with two web processes on one port (`KITH_PROCESSES`), and one for jobs. */
describe("several web processes", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "kith-several-"));
  let server: ServerProcess;

  beforeAll(async () => {
    const connection = await createDatabase(inject("server"), "kith_several_processes");
    const env = { DATABASE_URL: connectionUrl(connection), KITH_SEED: "empty", KITH_PROCESSES: "2" };
    server = await startServer(dataDir, env);
    // The server is ready as soon as its first web process is.
    await waitUntil(() => server.said().includes("Stop with Ctrl-C"));
  }, 240_000);
  afterAll(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  /** Ids of the processes that the first one has started. */
  const listChildren = () =>
    readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number)
      .filter(isProcessRunning);

  /** Numbers of the web processes in the metrics. */
  async function listNumbers(): Promise<string[]> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return [...text.matchAll(/^process_uptime_seconds\{process="(\d+)"\}/gm)].map((match) => match[1]!);
  }

  async function openSocket(transports: ("polling" | "websocket")[]): Promise<Socket> {
    const { appId, apiKey } = (await (await fetch(`${server.url}/api/info`)).json()) as {
      appId: string;
      apiKey: string;
    };
    const socket = io(`${server.url}/${appId}`, {
      path: `/${appId}`,
      query: { apiKey },
      transports,
      forceNew: true,
      reconnection: false,
    });
    await new Promise<void>((done, failed) => socket.once("connect", done).once("connect_error", failed));
    return socket;
  }

  /** Status of one request on a connection of its own, or the error's code. */
  const getStatus = (path: string, signal?: AbortSignal) =>
    new Promise<number | string>((done) => {
      request(server.url + path, { agent: false, signal }, (response) => {
        response.resume().on("end", () => done(response.statusCode ?? 0));
      })
        .on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
        .end();
    });

  test("include the figures of each process in the metrics", async () => {
    expect((await listNumbers()).toSorted()).toEqual(["1", "2"]);
  });

  test("do not expose the metrics of a single process on the public port", async () => {
    expect(await getStatus("/metrics/own")).toBe(404);
  });

  /** Number of the process that has the socket's session; `undefined` when the session has ended. */
  const processNumber = ({ io: { engine } }: Socket) => (engine as { id?: string }).id?.split(".")[0];

  test.each([["polling"], ["websocket"], ["polling", "websocket"]] as const)(
    "keep a socket with the same process (%j)",
    async (...transports) => {
      // The connections are spread over both processes: some requests of a session arrive at the other one.
      const sockets: Socket[] = [];
      await waitUntil(async () => {
        const more = await Promise.all(Array.from({ length: 10 }, () => openSocket([...transports])));
        sockets.push(...more);
        return new Set(sockets.map(processNumber)).size > 1;
      });
      expect([...new Set(sockets.map(processNumber))].toSorted()).toEqual(["1", "2"]);
      if (transports.at(-1) === "websocket")
        await waitUntil(() => sockets.every(({ io: { engine } }) => engine.transport.name === "websocket"));
      expect(sockets.every(({ connected }) => connected)).toBe(true);
      for (const socket of sockets) socket.close();
    },
    60_000,
  );

  test("refuse an unknown socket session", async () => {
    const { appId, apiKey } = (await (await fetch(`${server.url}/api/info`)).json()) as {
      appId: string;
      apiKey: string;
    };
    const path = `/${appId}/?EIO=4&transport=polling&apiKey=${apiKey}&sid=`;
    expect(
      await Promise.all(["1.gone", "2.gone", "77.gone", "gone"].map((id) => getStatus(path + id))),
    ).toEqual([400, 400, 400, 400]);
  });

  test("are all replaced on SIGHUP without dropping a request", async () => {
    const before = listChildren();
    const statuses: (number | string)[] = [];
    let finished = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!finished) {
        statuses.push(await getStatus("/about"));
        // Leaves the processors to the processes that start.
        await setTimeout(10);
      }
    });
    server.child.kill("SIGHUP");
    await waitUntil(() => before.every((pid) => !isProcessRunning(pid)) && listChildren().length === 3);
    finished = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await listNumbers()).toSorted()).toEqual(["3", "4"]);
  }, 120_000);

  test("replace a killed process while the other process keeps serving", async () => {
    const before = listChildren();
    // The ids are in the order of start: a web process comes first, the job process last.
    process.kill(before[0]!, "SIGKILL");
    await waitUntil(() => server.said().includes("a process ended and is replaced"));
    // Connections that had just been passed to the killed process are lost.
    await waitUntil(async () => (await getStatus("/about", AbortSignal.timeout(2_000))) === 200);
    await waitUntil(async () => (await listNumbers()).length === 2);
    expect((await listNumbers()).toSorted()).toEqual(["4", "5"]);
  }, 120_000);

  test("all end on SIGTERM", async () => {
    const children = listChildren();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(children.filter(isProcessRunning)).toEqual([]);
  }, 60_000);
});
