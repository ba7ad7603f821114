import { io, type Socket } from "socket.io-client";
import { signIn } from "./pages.ts";
import { FORM_HEADERS, sendRequest } from "./replies.ts";

/**
 * Measures the time from sending a reply to its arrival: at one socket of a quiet server, and at the last of
 * five hundred sockets.
 */
export type LiveRow = { name: string; target: string; cpuMs: number; p50: number; p99: number };

const PEOPLE = ["mira", "tomas", "ines", "ada"];
/** Maximum sockets of one person; the other readers are guests. */
const CONNECTIONS_EACH = 25;
const READERS = 500;
const REPLIES = 100;

/** `cpu` returns the server's CPU time so far, in microseconds. */
export async function measureLive(
  origin: string,
  discussion: string,
  cpu: () => Promise<number>,
): Promise<LiveRow[]> {
  const cookies = await Promise.all(PEOPLE.map((name) => signIn(origin, name)));
  const crowd = new ReaderCrowd(origin, discussion.split(/[/?]/)[2]!);
  const measured = async () => {
    const before = await cpu();
    const took = await crowd.replies(cookies[0]!, REPLIES);
    return { ...took, cpuMs: ((await cpu()) - before) / 1000 / REPLIES };
  };
  await crowd.open(1, [cookies[1]!]);
  const quiet = await measured();
  await crowd.open(READERS - 1, cookies);
  const full = await measured();
  crowd.close();
  return [
    { name: "reply to one other line, quiet", target: "p50 ≤ 6 ms, p99 ≤ 20 ms", ...quiet },
    { name: `reply to the last of ${READERS} lines`, target: "p99 ≤ 150 ms", ...full },
  ];
}

class ReaderCrowd {
  #sockets: Socket[] = [];
  #origin: string;
  #discussionId: string;
  /** Called with the text of each received message. */
  #heard: (text: string) => void = () => {};
  constructor(origin: string, discussionId: string) {
    this.#origin = origin;
    this.#discussionId = discussionId;
  }

  /**
   * Opens `count` more sockets: first for these people, each up to the maximum per person, then for guests.
   */
  async open(count: number, cookies: string[]): Promise<void> {
    const info = await fetch(`${this.#origin}/api/info`);
    const { appId, apiKey }: { appId: string; apiKey: string } = await info.json();
    const tickets = cookies.flatMap((cookie) =>
      Array.from({ length: Math.min(count, CONNECTIONS_EACH) }, () => this.#ticket(cookie)),
    );
    const tokens = [
      ...(await Promise.all(tickets.slice(0, count))),
      ...Array<string>(Math.max(0, count - tickets.length)).fill("null"),
    ];
    for (let at = 0; at < tokens.length; at += 50)
      await Promise.all(tokens.slice(at, at + 50).map((token) => this.#join(appId, apiKey, token)));
  }

  async #ticket(cookie: string): Promise<string> {
    const answer = await fetch(`${this.#origin}/live/ticket`, { headers: { cookie } });
    const { ticket }: { ticket: string } = await answer.json();
    return ticket;
  }

  #join(appId: string, apiKey: string, userToken: string): Promise<void> {
    const query = { apiKey, userToken };
    const socket = io(`${this.#origin}/${appId}`, {
      path: `/${appId}`,
      query,
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
    });
    this.#sockets.push(socket);
    const options = {
      tableName: "Posts",
      event: "created",
      whereClause: `discussionId = '${this.#discussionId}'`,
    };
    return new Promise((ready, failed) => {
      socket.once("connect_error", failed);
      socket.once("SUB_READY", () => ready());
      socket.on("SUB_RES", ({ data }: { data: { text: string } }) => this.#heard(data.text));
      socket.once("connect", () => socket.emit("SUB_ON", { id: "posts", name: "OBJECTS_CHANGES", options }));
    });
  }

  /**
   * Returns the milliseconds until all sockets have received each of `count` replies, sent one after
   * another.
   */
  async replies(cookie: string, count: number): Promise<{ p50: number; p99: number }> {
    const took: number[] = [];
    for (let n = 0; n < count; n++) took.push(await this.#reply(cookie, `Line ${crypto.randomUUID()}`));
    const sorted = took.slice(count / 10).toSorted((a, b) => a - b);
    return { p50: sorted[Math.floor(sorted.length / 2)]!, p99: sorted[Math.floor(sorted.length * 0.99)]! };
  }

  async #reply(cookie: string, text: string): Promise<number> {
    const body = new URLSearchParams({ body: text, clientId: crypto.randomUUID() }).toString();
    const began = performance.now();
    const all = new Promise<number>((done) => {
      let missing = this.#sockets.length;
      this.#heard = (arrived) => {
        if (arrived === text && --missing === 0) done(performance.now() - began);
      };
    });
    // Sends the reply as the page's script does, so that no page is rendered in response.
    const to = `${this.#origin}/discussions/${this.#discussionId}/replies`;
    const { status } = await sendRequest(to, "POST", { ...FORM_HEADERS, cookie }, body);
    if (status >= 400) throw new Error(`A reply answered ${status}.`);
    return all;
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}
