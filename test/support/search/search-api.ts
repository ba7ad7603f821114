import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import {
  indicesInScope,
  type Mark,
  type Query,
  type SearchDocument,
  type SearchEngine,
} from "#community/search";
import type { SessionIdentity, TokenIdentity } from "#community/accounts";
import { GUEST, type Viewer } from "#community/rules";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { serveSearch, createViewerKeys } from "../../../src/api/search/index.ts";

export const APP = "A".repeat(20);
export const KEY = "K".repeat(20);
export const SERVER_KEY = "S".repeat(20);
const KEY_SECRET = Buffer.alloc(32, 7);
export const SESSION = "0192d5f0-0000-7000-8000-000000000001";
const MIRA: Viewer = {
  id: "0192d5f0-0000-7000-8000-00000000000a",
  role: "member",
  trust: "established",
  limited: false,
};

const DEFAULT_NUMBERS = {
  likes: 0,
  commentCount: 0,
  memberCount: 0,
  createdAt: 1_700_000_000,
  updatedAt: 1_700_000_000,
  number: 1,
};
const NO_TIMES = { startsAt: null, endsAt: null, allDay: null, timeZone: null };
const NO_AUTHOR = {
  groupId: null,
  groupName: null,
  groupSlug: null,
  authorId: null,
  authorName: null,
  authorUsername: null,
};
const NO_CONTAINER = { discussionId: null, resourceId: null, conversationId: null };

export const createTestDocument = (objectID: string, more: Partial<SearchDocument>): SearchDocument => ({
  objectID,
  type: "posts",
  kind: "",
  title: "",
  names: "",
  tags: [],
  body: "",
  language: "en",
  url: `/posts/${objectID}`,
  ...NO_AUTHOR,
  ...NO_CONTAINER,
  ...DEFAULT_NUMBERS,
  ...NO_TIMES,
  is: [],
  has: [],
  isPublic: true,
  ...more,
});

/** Creates an engine with a few documents. It matches word prefixes, and records queries and viewers. */
export function createFakeEngine(documents: SearchDocument[]) {
  const queries: { viewer: Viewer; query: Query }[] = [];
  const mayRead = (viewer: Viewer, it: SearchDocument) => it.isPublic || viewer.id !== null;
  const found = (viewer: Viewer, { index, words, except }: Query) => {
    const wanted = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const hits = documents
      .filter(
        (it) => indicesInScope(index).includes(it.type) && mayRead(viewer, it) && it.objectID !== except,
      )
      .map((document) => ({
        document,
        marks: {
          title: markWords(document.title, wanted),
          names: [],
          body: markWords(document.body, wanted),
          tags: document.tags.map((tag) => markWords(tag, wanted)),
        },
      }))
      .filter(({ marks }) =>
        wanted.every((_, n) =>
          [...marks.title, ...marks.body, ...marks.tags.flat()].some(({ word }) => word === n),
        ),
      );
    return { wanted, hits };
  };
  const counted = (list: SearchDocument[], name: string) => {
    const counts = new Map<string, number>();
    for (const it of list)
      for (const value of [(it as Record<string, unknown>)[name]].flat())
        counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
  };
  const engine: SearchEngine = {
    async search(viewer, query) {
      queries.push({ viewer, query });
      const { wanted, hits } = found(viewer, query);
      const ranking = { typos: 0, inTitle: true, exact: wanted.length, proximity: 0, score: 1 };
      return {
        hits: hits.slice(query.offset, (query.offset ?? 0) + (query.length ?? 20)).map((hit) => ({
          ...hit,
          ranking,
          page: null,
          excerpt: { text: "", marks: [], cutBefore: false, cutAfter: false },
        })),
        total: hits.length,
        exhaustive: { total: true, facets: true },
        facets: Object.fromEntries(
          (query.facets ?? []).map((name) => [
            name,
            counted(
              hits.map(({ document }) => document),
              name,
            ),
          ]),
        ),
        stats: Object.fromEntries(
          (query.facets ?? [])
            .filter((name) => name === "likes")
            .map((name) => [name, { min: 0, max: 7, avg: 3.5, sum: 7 }]),
        ),
        words: [...wanted],
      };
    },
    async facet(viewer, { facet, begins, most, of }) {
      queries.push({ viewer, query: of });
      const values = counted(
        found(viewer, of).hits.map(({ document }) => document),
        facet,
      );
      return {
        values: values.filter(({ value }) => value.startsWith(begins.toLowerCase())).slice(0, most),
        exhaustive: true,
      };
    },
    get: async (viewer, index, ids) =>
      ids.map(
        (id) =>
          documents.find(
            (it) => it.objectID === id && indicesInScope(index).includes(it.type) && mayRead(viewer, it),
          ) ?? null,
      ),
    upsert: async () => {},
    remove: async () => {},
    settle: async () => {},
    capabilities: { name: "a few documents", unread: true, exactTotals: true },
  };
  return { engine, queries };
}

const markWords = (text: string, wanted: string[]): Mark[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap((match) => {
    const word = wanted.findIndex((it) =>
      match[0].normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().startsWith(it),
    );
    return word < 0 ? [] : [{ from: match.index, to: match.index + wanted[word]!.length, word }];
  });

/** Starts only the search API on a port, in front of an engine. The only valid session is Mira's. */
export async function startTestSearchApi(
  engine: SearchEngine,
  beside: (server: FastifyInstance) => void = () => {},
  log = createLog("silent"),
) {
  const state = {
    audience: "public" as "public" | "private",
    now: new Date("2026-05-04T09:00:00Z"),
    apiCalls: 0,
    sessions: new Map([[SESSION, MIRA]]),
    tokens: new Map<string, TokenIdentity>(),
  };
  const server = createHttpServer({ log, trustProxy: false });
  const limits = new Limits();
  await serveSearch(server, {
    engine,
    log,
    limits,
    seal: KEY_SECRET,
    appId: APP,
    searchKey: KEY,
    serverKey: SERVER_KEY,
    now: () => state.now,
    origin: () => "https://kith.example.org",
    settings: {
      get: async () => ({ audience: state.audience, apiCalls: state.apiCalls, apiCallsOfPerson: 0 }),
    } as never,
    findToken: async (token) => state.tokens.get(token) ?? null,
    findSession: async (id) =>
      state.sessions.has(id) ? ({ viewer: state.sessions.get(id) ?? GUEST } as SessionIdentity) : null,
  });
  beside(server);
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  return {
    server,
    state,
    limits,
    port,
    mirasKey: () => createViewerKeys(KEY_SECRET, () => state.now)(SESSION),
    keyFor: (session: string) => createViewerKeys(KEY_SECRET, () => state.now)(session),
    /** Sends a call without a client: path below `/1` and body. */
    call: (
      path: string,
      body: unknown,
      key = KEY,
      more: { method?: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS"; headers?: Record<string, string> } = {},
    ) =>
      server.inject({
        method: more.method ?? "POST",
        url: `/1${path}`,
        headers: {
          "content-type": "text/plain",
          "x-algolia-application-id": APP,
          "x-algolia-api-key": key,
          ...more.headers,
        },
        ...(body !== undefined && {
          payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        }),
      }),
  };
}

export type TestSearchApi = Awaited<ReturnType<typeof startTestSearchApi>>;
