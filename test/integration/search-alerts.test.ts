import { beforeEach, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { muteNotificationSource, listNotifications } from "#community/notifications";
import type { SignedIn } from "#community/rules";
import { dispatchEvents, describeDeliveries } from "../support/notifications/deliveries.ts";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  createTestUsers,
  type TestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import {
  deleteSavedSearch,
  createSearch,
  getSavedSearch,
  saveSearch,
  type Search,
  listOwnSearches,
  sendSearchAlerts,
  setSearchAlert,
} from "#community/search";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const log = createLog("silent");
let people: TestUsers;
let search: Search;
beforeEach(async () => {
  people = await createTestUsers(database);
  search = createSearch({ database });
});

/** A day later everything is indexed, and the searches run. */
async function aDayLater() {
  clock.pass(DAY + HOUR);
  await run(db, sql`update people set seen_at = ${clock.at}`);
  await search.indexer.beginAgain();
  await search.indexer.finish();
  const result = await sendSearchAlerts({ database, search, log });
  await dispatchEvents(database);
  return result;
}
const keep = async (who: SignedIn, asked: string, tells = true) => {
  await within((tx) => saveSearch(tx, who, { name: asked, asked, tells }));
  return (await listOwnSearches(db, who)).saved.find((it) => it.asked === asked)!;
};
const deliveriesTo = (who: SignedIn) => describeDeliveries(database, who);

test("a saved search alerts its owner to new content by others at most once a day", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  await createTestDiscussion(database, tomas, group.id, {
    title: "Quinces in the corner",
    body: "Old ones.",
  });
  clock.pass(HOUR);
  await keep(mira, "quince");
  await keep(mira, "medlar");
  const quiet = await keep(tomas, "quince", false);
  expect(quiet.tells).toBe(false);
  expect(await aDayLater()).toBe(0);
  await createTestDiscussion(database, mira, group.id, { title: "My own quinces", body: "Mine." });
  expect(await aDayLater()).toBe(0);
  await createTestDiscussion(database, tomas, group.id, { title: "Quince jelly", body: "With cloves." });
  expect(await aDayLater()).toBe(1);
  expect([await deliveriesTo(mira), await deliveriesTo(tomas)]).toEqual([["new_results you_searched"], []]);
  expect(await sendSearchAlerts({ database, search, log })).toBe(0);
  await createTestDiscussion(database, tomas, group.id, { title: "Quince cheese", body: "Slowly." });
  expect(await aDayLater()).toBe(1);
  const { rows } = await listNotifications(db, mira, { tab: "all" });
  expect(rows).toMatchObject([
    { kind: "new_results", count: 2, object: { kind: "search", title: "quince" }, actors: [] },
  ]);
});

test("content written during an alert run is reported by the next run", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  await keep(mira, "quince");
  clock.pass(DAY - MINUTE);
  await createTestDiscussion(database, tomas, group.id, { title: "Quince jelly", body: "With cloves." });
  clock.pass(2 * MINUTE);
  expect(await sendSearchAlerts({ database, search, log })).toBe(0);
  expect(await aDayLater()).toBe(1);
});

test("an alert includes only what its owner may read", async () => {
  const { mira, noor, tomas } = people;
  const secret = await createTestGroup(database, people, { visibility: "secret", name: "Cellar" });
  for (const who of [mira, noor]) await keep(who, "quince");
  await createTestDiscussion(database, tomas, secret.id, { title: "Quince jelly", body: "With cloves." });
  expect(await aDayLater()).toBe(1);
  expect([await deliveriesTo(mira), await deliveriesTo(noor)]).toEqual([["new_results you_searched"], []]);
  await within((tx) => setMembership(tx, secret.id, mira, "left"));
  await createTestDiscussion(database, tomas, secret.id, { title: "Quince cheese", body: "Slowly." });
  expect(await aDayLater()).toBe(0);
  await within((tx) => setMembership(tx, secret.id, mira, "member"));
  await createTestDiscussion(database, tomas, secret.id, { title: "Quince leather", body: "Thin." });
  await run(db, sql`update people set state = 'suspended' where id = ${mira.id}`);
  expect(await aDayLater()).toBe(0);
});

test("a disabled, deleted or muted alert ends, and other people's alerts continue", async () => {
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people);
  const savedSearch = await keep(mira, "quince");
  for (const verb of [
    () => within((tx) => setSearchAlert(tx, tomas, { id: savedSearch.id, tells: false })),
    () => within((tx) => deleteSavedSearch(tx, noor, savedSearch)),
    () => getSavedSearch(db, tomas, savedSearch.id),
  ])
    await expect(verb()).rejects.toMatchObject({ reason: "not-found" });
  await createTestDiscussion(database, tomas, group.id, { title: "Quince jelly", body: "With cloves." });
  expect(await aDayLater()).toBe(1);
  const [line] = (await listNotifications(db, mira, { tab: "all" })).rows;
  await within((tx) => muteNotificationSource(tx, mira, { id: line!.id }));
  expect(await getSavedSearch(db, mira, savedSearch.id)).toMatchObject({ tells: false });
  await createTestDiscussion(database, tomas, group.id, { title: "Quince cheese", body: "Slowly." });
  expect(await aDayLater()).toBe(0);
  await within((tx) => setSearchAlert(tx, mira, { id: savedSearch.id, tells: true }));
  await within((tx) => deleteSavedSearch(tx, mira, savedSearch));
  expect((await listNotifications(db, mira, { tab: "all" })).rows).toEqual([]);
});

test("a failing search is retried in an hour and does not delay others", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  await keep(mira, "medlar");
  clock.pass(MINUTE);
  await keep(mira, "quince");
  await createTestDiscussion(database, tomas, group.id, { title: "Quince jelly", body: "With cloves." });
  clock.pass(DAY + HOUR);
  await search.indexer.beginAgain();
  await search.indexer.finish();
  const engine: Search["engine"] = {
    ...search.engine,
    search: (viewer, query) =>
      query.words === "medlar" ? Promise.reject(new Error("gone")) : search.engine.search(viewer, query),
  };
  expect(await sendSearchAlerts({ database, search: { engine }, log })).toBe(1);
  const again = await one(
    db,
    sql<{
      at: Date;
      upTo: Date;
    }>`select next_run_at as at, notified_until as "upTo" from saved_searches where asked = 'medlar'`,
  );
  expect(again.upTo < clock.at).toBe(true);
  expect(again.at.getTime()).toBeLessThan(clock.at.getTime() + DAY);
});
