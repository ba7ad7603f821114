import type autocannon from "autocannon";
import { DEMO_PASSWORD } from "../src/app/secrets.ts";

/** Returns the address of a public discussion whose first page is full: twenty posts. */
export async function findLongPublicDiscussion(origin: string): Promise<string> {
  const html = await (await fetch(`${origin}/?tab=top`)).text();
  const ids = [...new Set([...html.matchAll(/\/discussions\/([0-9a-f-]{36})/g)].map((match) => match[1]!))];
  for (const id of ids) {
    const page = await (await fetch(`${origin}/discussions/${id}?page=1`)).text();
    if ((page.match(/<article/g) ?? []).length >= 20) return `/discussions/${id}?page=1`;
  }
  throw new Error("No public discussion on the front page has twenty posts.");
}

/** URL that the client router requests for this page: loader data without HTML. */
export const dataUrl = (path: string) => path.replace("?", ".data?");

const form = (values: Record<string, string>) => new URLSearchParams(values).toString();

/** Signs in and returns the session cookie. */
export async function signIn(origin: string, username: string): Promise<string> {
  const answer = await fetch(`${origin}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", origin },
    body: form({ login: username, password: DEMO_PASSWORD, stay: "on" }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0]!)
    .find((line) => line.startsWith("kith_session="));
  if (!cookie) throw new Error(`Signing in answered ${answer.status} without a session.`);
  return cookie;
}

/** Throws when a session has expired, because guest pages would be measured instead. */
export async function assertSignedIn(origin: string, ...cookies: string[]): Promise<void> {
  for (const cookie of cookies) {
    const { status } = await fetch(`${origin}/bookmarks`, { redirect: "manual", headers: { cookie } });
    if (status !== 200)
      throw new Error(`A session that was measured is over: /bookmarks answered ${status}.`);
  }
}

let sent = 0;
/** Different addresses keep the rate limit per address out of the measurement. */
const fakeAddress = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** Creates sign-ins that alternate between these people, each from a different address. */
export const createSignIns = (origin: string, usernames: string[]): Pick<autocannon.Options, "requests"> => ({
  requests: [
    {
      method: "POST",
      path: "/login",
      headers: { "content-type": "application/x-www-form-urlencoded", origin },
      setupRequest: (request) => {
        sent += 1;
        return {
          ...request,
          headers: { ...request.headers, "x-forwarded-for": fakeAddress(sent) },
          body: form({ login: usernames[sent % usernames.length]!, password: DEMO_PASSWORD }),
        };
      },
    },
  ],
});

export type WriterSetup = { usernames: string[]; discussions: string[]; signers: string[] };

/**
 * Creates replies that alternate between these people and are spread over the discussions, as the page's
 * script sends them.
 */
export async function createReplies(
  origin: string,
  { usernames, discussions }: WriterSetup,
): Promise<Pick<autocannon.Options, "requests">> {
  const cookies: string[] = [];
  // One after another: password hashing is intentionally slow, and sixteen sign-ins at once would be
  // rejected.
  for (const username of usernames) cookies.push(await signIn(origin, username));
  let turn = 0;
  return {
    requests: [
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", origin },
        setupRequest: (request) => {
          turn += 1;
          return {
            ...request,
            path: `/discussions/${discussions[turn % discussions.length]}/replies`,
            headers: {
              ...request.headers,
              cookie: cookies[turn % cookies.length]!,
              "x-forwarded-for": fakeAddress(turn),
            },
            body: form({ body: `Row ${turn}: sown, watered and covered.`, clientId: crypto.randomUUID() }),
          };
        },
      },
    ],
  };
}
