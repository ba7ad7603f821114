import { expect, test } from "vitest";
import {
  API_ENTITIES,
  listAutomatedChanges,
  listChanges,
  listPerViewerChanges,
} from "#community/api-entities";
import { approvePending } from "#community/moderation";
import { addLinkOrAwaitApproval, NewLink } from "#community/resources";
import { GUEST, type Viewer } from "#community/rules";
import { createSearch } from "#community/search";
import { many, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { serveBuiltPages } from "../support/built-pages.ts";
import { readEntityRows } from "../support/entity-rows.ts";
import { createApprovalTalk, database, db, within } from "../support/moderation/first-posts-setup.ts";

const { server } = await serveBuiltPages(database);
const { engine, indexer } = createSearch({ database });

const WORD = "Hagebutte";

/** Names of the feeds, entities, searches and events that contain the word or name a new record. */
async function findWaysTo(viewers: Viewer[], feeds: string[]): Promise<string[]> {
  const ways: string[] = [];
  await indexer.beginAgain();
  await indexer.finish();
  for (const url of feeds) {
    const { body, statusCode } = await server.inject({ url, headers: { host: "kith.test" } });
    expect([url, statusCode]).toEqual([url, 200]);
    if (body.includes(WORD)) ways.push(url);
  }
  for (const viewer of viewers) {
    const { total } = await engine.search(viewer, { index: "all", words: WORD });
    if (total > 0) ways.push("search");
    for (const entity of Object.values(API_ENTITIES))
      if (JSON.stringify(await readEntityRows(db, viewer, entity)).includes(WORD)) ways.push(entity.name);
  }
  for (const { payload } of await many(db, sql<{ payload: DomainEvent }>`select payload from outbox`)) {
    if (JSON.stringify(payload).includes(WORD)) ways.push(`event ${payload.type}`);
    const changes = [
      ...listChanges(payload),
      ...listAutomatedChanges(payload),
      ...(await listPerViewerChanges(db, payload, [])),
    ];
    for (const { table, event } of changes)
      if (table === "Resources" || table === "Posts") ways.push(`${table} ${event}`);
  }
  return [...new Set(ways)].toSorted();
}

test("a pending resource is in no feed, search, API entity or real-time event until it is approved", async () => {
  const at = await createApprovalTalk("first", "public");
  const { nora, elsa, mira, ines, group } = at;
  await run(db, sql`delete from outbox`);
  const link = { url: `https://${WORD.toLowerCase()}.example/`, title: WORD, why: WORD, groupId: group.id };
  const sent = await within((tx) => addLinkOrAwaitApproval(tx, nora, NewLink.parse(link)));
  const feeds = (query: string) =>
    ["/feed.atom", "/resources/feed.atom", `/groups/${group.slug}/feed.atom`].map((path) => path + query);
  const viewers = [GUEST, nora, elsa, mira, ines];
  expect(await findWaysTo(viewers, feeds(""))).toEqual([]);
  await within((tx) => approvePending(tx, elsa, { pendingPostId: (sent as { waits: string }).waits }));
  expect(await findWaysTo(viewers, feeds("?again"))).toEqual(
    expect.arrayContaining(["/resources/feed.atom?again", "Resources", "Resources created", "search"]),
  );
});
