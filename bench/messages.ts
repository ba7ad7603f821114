import { io, type Socket } from "socket.io-client";
import type { LiveRow } from "./live-replies.ts";
import { signIn } from "./pages.ts";
import { FORM_HEADERS, sendRequest } from "./replies.ts";

/**
 * Measures the time from sending a message to its arrival at the other person: on a quiet server, and with
 * two hundred open conversations.
 */
const OPEN_CONVERSATIONS = 200;
const MESSAGES = 100;
/** Number of conversations that one socket follows; a page follows one. */
const PER_CONNECTION = 4;

/**
 * `cpu` returns the server's CPU time so far, in microseconds. Ada writes, because staff have no limit on
 * new conversations.
 */
export async function measureMessages(origin: string, cpu: () => Promise<number>): Promise<LiveRow[]> {
  const [ada, tomas] = await Promise.all([signIn(origin, "ada"), signIn(origin, "tomas")]);
  const sockets: Socket[] = [];
  const heard = { text: "", done: () => {} };
  const talk = await startConversation(origin, ada, "tomas");
  sockets.push(
    await followConversations(origin, tomas, [talk], (text) => text === heard.text && heard.done()),
  );
  const measured = async () => {
    const before = await cpu();
    const took: number[] = [];
    for (let n = 0; n < MESSAGES; n++) took.push(await sendMessage(origin, ada, talk, heard));
    const sorted = took.slice(MESSAGES / 10).toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)]!;
    return { p50: at(0.5), p99: at(0.99), cpuMs: ((await cpu()) - before) / 1000 / MESSAGES };
  };
  const quiet = await measured();
  const others: string[] = [];
  for (let n = 0; n < OPEN_CONVERSATIONS; n++)
    others.push(await startConversation(origin, ada, "mira, ines"));
  const cookies = [ada, await signIn(origin, "mira"), await signIn(origin, "ines")];
  for (let n = 0; n < OPEN_CONVERSATIONS; n += PER_CONNECTION)
    sockets.push(
      await followConversations(
        origin,
        cookies[(n / PER_CONNECTION) % cookies.length]!,
        others.slice(n, n + PER_CONNECTION),
        () => {},
      ),
    );
  const full = await measured();
  for (const socket of sockets) socket.close();
  return [
    { name: "message from one line to the other, quiet", target: "p50 ≤ 6 ms, p99 ≤ 20 ms", ...quiet },
    { name: `message beside ${OPEN_CONVERSATIONS} open conversations`, target: "p99 ≤ 40 ms", ...full },
  ];
}

async function startConversation(origin: string, cookie: string, to: string): Promise<string> {
  const body = new URLSearchParams({ intent: "start", to, body: "Hello.", clientId: crypto.randomUUID() });
  const answer = await fetch(`${origin}/messages`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin },
    body,
  });
  const id = /\/conversations\/([0-9a-f-]{36})/.exec(answer.headers.get("location") ?? "")?.[1];
  if (!id) throw new Error(`A conversation could not be begun: ${answer.status}.`);
  return id;
}

async function followConversations(
  origin: string,
  cookie: string,
  conversations: string[],
  told: (text: string) => void,
): Promise<Socket> {
  const info = await fetch(`${origin}/api/info`);
  const { appId, apiKey }: { appId: string; apiKey: string } = await info.json();
  const answer = await fetch(`${origin}/live/ticket`, { headers: { cookie } });
  const { ticket }: { ticket: string } = await answer.json();
  const query = { apiKey, userToken: ticket };
  const socket = io(`${origin}/${appId}`, {
    path: `/${appId}`,
    query,
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
  });
  let missing = conversations.length;
  return new Promise((ready, failed) => {
    socket.once("connect_error", failed);
    socket.on("SUB_READY", () => --missing === 0 && ready(socket));
    socket.on("SUB_RES", ({ data, error }: { data?: { text: string }; error?: { message: string } }) =>
      error ? failed(new Error(error.message)) : told(data!.text),
    );
    socket.once("connect", () => {
      for (const id of conversations) {
        const options = { tableName: "Messages", event: "created", whereClause: `conversationId = '${id}'` };
        socket.emit("SUB_ON", { id, name: "OBJECTS_CHANGES", options });
      }
    });
  });
}

/** Returns the milliseconds until the message arrives. */
async function sendMessage(
  origin: string,
  cookie: string,
  conversationId: string,
  heard: { text: string; done: () => void },
): Promise<number> {
  const text = `Line ${crypto.randomUUID()}`;
  const body = new URLSearchParams({ body: text, clientId: crypto.randomUUID() }).toString();
  const arrived = new Promise<void>((done) => Object.assign(heard, { text, done }));
  const began = performance.now();
  // Sends the message as the page's script does, so that no page is rendered in response.
  const to = `${origin}/conversations/${conversationId}/messages`;
  const { status } = await sendRequest(to, "POST", { ...FORM_HEADERS, cookie, origin }, body);
  if (status >= 400) throw new Error(`A message answered ${status}.`);
  await arrived;
  return performance.now() - began;
}
