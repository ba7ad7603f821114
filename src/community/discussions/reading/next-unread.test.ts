import { expect, test } from "vitest";
import { setNotifyLevel } from "#community/groups";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { markRead, findNextUnread, setFollowLevel } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** A private group of Tomas's with Mira, and three discussions, oldest first. */
async function setting() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const ids: string[] = [];
  for (const title of ["Beans in May", "Slugs in June", "Plums in July"]) {
    database.clock.pass(1_000);
    ids.push((await createTestDiscussion(database, people.tomas, group.id, { title })).id);
  }
  const [beans, slugs, plums] = ids as [string, string, string];
  const next = async (viewer: Viewer, from?: string) => (await findNextUnread(db, viewer, from))?.id ?? null;
  const read = (who: typeof people.mira, discussionId: string) =>
    within((tx) => markRead(tx, who, { discussionId, upTo: 1 }));
  return { ...people, group, beans, slugs, plums, next, read };
}

test("the next unread discussion is a followed discussion, else the latest, else the current discussion", async () => {
  const { mira, tomas, beans, slugs, plums, next, read } = await setting();
  expect(await next(mira)).toBe(plums);
  expect(await next(mira, plums)).toBe(slugs);
  expect(await next(mira, "plums")).toBe(plums);
  await within((tx) => setFollowLevel(tx, mira, { discussionId: beans, level: "watching" }));
  expect([await next(mira), await next(mira, beans)]).toEqual([beans, plums]);
  await within((tx) => setFollowLevel(tx, mira, { discussionId: plums, level: "muted" }));
  expect(await next(mira, beans)).toBe(slugs);
  await read(mira, slugs);
  expect([await next(mira), await next(mira, beans)]).toEqual([beans, beans]);
  await read(mira, beans);
  expect(await next(mira)).toBeNull();
  await createTestReply(database, tomas, slugs);
  expect(await next(mira)).toBe(slugs);
});

test("guests and non-members have no next unread discussion, and muted discussions are skipped", async () => {
  const { mira, noor, guest, ada, group, next } = await setting();
  for (const viewer of [guest, noor, ada]) expect(await next(viewer)).toBeNull();
  await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "mute" }));
  expect(await next(mira)).toBeNull();
  await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "all" }));
  expect(await next(mira)).not.toBeNull();
  await within((tx) => setMembership(tx, group.id, mira, "left"));
  expect(await next(mira)).toBeNull();
});
