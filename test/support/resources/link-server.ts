import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { createFetcher } from "#platform/fetcher";
import { createTestUsers, type TestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import {
  addLink,
  checkDueLinks,
  NewLink,
  getResource,
  scheduleLinkChecks,
} from "../../../src/community/resources/index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within, clock } = database;
export let people: TestUsers;

/** A remote server that can fail and recover, and the requests that it received. */
/** How the server answers at the moment. */
export const site: { answer: RequestListener } = { answer: () => {} };
export let requests: string[] = [];
const server = createServer((request, reply) => {
  requests.push(`${request.method} ${request.headers.host?.split(":")[0]}${request.url}`);
  site.answer(request, reply);
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
export const { port } = server.address() as AddressInfo;
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
const fetcher = createFetcher({
  canConnect: (_address, to) => to === port,
  resolve: async () => ["127.0.0.1"],
  timeout: 300,
});
export const answerOk: RequestListener = (_request, reply) =>
  void reply.writeHead(200, { etag: '"one"' }).end();
export const answerNotFound: RequestListener = (_request, reply) => void reply.writeHead(404).end();

beforeEach(async () => {
  people = await createTestUsers(database);
  site.answer = answerOk;
  requests = [];
});
export const testAddress = (host: string, path = "/seeds") => `http://${host}.example:${port}${path}`;
export const addTestLink = async (url: string, groupId = "") => {
  const { id } = await within((tx) =>
    addLink(tx, people.mira, NewLink.parse({ url, title: "Seeds", groupId })),
  );
  await within(scheduleLinkChecks);
  return id;
};
export const runLinkChecks = () => checkDueLinks(database, fetcher);
export const getHealth = async (id: string) => (await getResource(db, people.mira, id)).health;
export const hoursUntilDue = async (id: string) => {
  const { due } = await one(
    db,
    sql<{ due: Date }>`select due_at as due from link_checks where resource_id = ${id}`,
  );
  return (due.getTime() - clock.at.getTime()) / DAY;
};
export const listLinkEvents = async () =>
  (
    await many(
      db,
      sql<{ type: string }>`select type from outbox where type like 'resource.link-%' order by at, id`,
    )
  ).map((it) => it.type);
/** Runs three failing checks over seven days, after which a link counts as dead. */
export const failUntilDead = async () => {
  for (const wait of [0, 3.5 * DAY, 3.5 * DAY]) {
    clock.pass(wait);
    await runLinkChecks();
  }
};
