import { CONNECTED_PERSON, LONG_DISCUSSION, LONG_DISCUSSION_POSTS, WRITER_COUNT } from "./large-community.ts";
import {
  assertSignedIn,
  createReplies,
  createSignIns,
  dataUrl,
  findLongPublicDiscussion,
  signIn,
  type WriterSetup,
} from "./pages.ts";
import { createRow, type Row } from "./rounds.ts";
import type { MeasuredProcess } from "./under-load.ts";

const REQUEST_HEADERS = { "accept-encoding": "gzip, br, zstd", accept: "text/html" };

export type PageRows = {
  rows: Row[];
  /** Path of a public discussion with a full page. */
  discussion: string;
  /** Session of the member who reads the pages. */
  cookie: string;
  /** Throws when a session of the rows has expired. */
  assertSignedIn: () => Promise<void>;
};

/** The row that the others are compared with: a bare Fastify that answers "hello world". */
export const createYardstick = (bare: MeasuredProcess<unknown>): Row =>
  createRow({
    name: "bare Fastify, hello world",
    target: "the yardstick",
    under: bare,
    requests: () => ({ url: bare.url, headers: REQUEST_HEADERS }),
  });

/** Creates the rows of a server with the large community: pages, replies and sign-ins. */
export async function createPageRows(app: MeasuredProcess<{ writing: WriterSetup }>): Promise<PageRows> {
  const discussion = await findLongPublicDiscussion(app.url);
  const cookie = await signIn(app.url, "mira");
  const connectedCookie = await signIn(app.url, CONNECTED_PERSON);
  const writing = await createReplies(app.url, app.known.writing);
  const guest = { headers: REQUEST_HEADERS };
  const member = { headers: { ...REQUEST_HEADERS, cookie } };
  const connected = { headers: { ...REQUEST_HEADERS, cookie: connectedCookie } };
  const page = (name: string, target: string, path: string, viewer: typeof guest = member) =>
    createRow({ name, target, under: app, requests: () => ({ url: app.url + path, ...viewer }) });
  const post = (name: string, number: number) =>
    page(name, "as the page above", `/discussions/${LONG_DISCUSSION}?post=${number}`);
  let n = 0;
  const rows = [
    page("discussion page, signed out, kept", "≥ 40 % of bare", discussion, guest),
    createRow({
      name: "discussion page, signed out, made",
      target: "≤ 4 ms CPU",
      under: app,
      requests: () => ({
        url: app.url,
        requests: [
          {
            method: "GET",
            path: discussion,
            ...guest,
            setupRequest: (request) => ({ ...request, path: `${discussion}&n=${n++}` }),
          },
        ],
      }),
    }),
    page("discussion page, signed in", "≤ 6 ms CPU", discussion),
    page("the same, come to from another page", "≤ 6 ms CPU", dataUrl(discussion)),
    post(`first of ${LONG_DISCUSSION_POSTS} posts, signed in`, 1),
    post("in their middle", LONG_DISCUSSION_POSTS / 2),
    post("at their end", LONG_DISCUSSION_POSTS),
    page("home, following 200", "5 queries", "/"),
    page("the library of 10 000 resources", "≤ 6 ms CPU, 5 queries", "/resources", connected),
    page("inbox of 2 000 conversations", "≤ 6 ms CPU, 4 queries", "/messages", connected),
    page("1 000 friends", "≤ 6 ms CPU, 4 queries", "/myFriends", connected),
    createRow({
      name: `replies, ${WRITER_COUNT} writers`,
      target: "≥ 800/s",
      under: app,
      requests: () => ({ url: app.url, connections: WRITER_COUNT, ...writing }),
    }),
    createRow({
      name: "sign-in (Argon2id 19 MiB)",
      target: "hashing is the cost",
      under: app,
      seconds: 2,
      requests: () => ({
        url: app.url,
        connections: 4,
        ...createSignIns(app.url, app.known.writing.signers),
      }),
    }),
  ];
  return {
    rows,
    discussion,
    cookie,
    assertSignedIn: () => assertSignedIn(app.url, cookie, connectedCookie),
  };
}
