import { describe, expect, test } from "vitest";
import { SECOND } from "#platform/clock";
import { getGroup } from "#community/groups";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestDiscussion, createTestReply } from "../../../../test/support/test-users.ts";
import { listDiscussions, markRead, setFollowLevel } from "../index.ts";
import {
  database,
  db,
  setupDiscussion,
  within,
} from "../../../../test/support/discussions/discussion-setup.ts";

/** A group with `many` discussions, oldest first. Mira has read every other one. */
async function halfRead(many: number) {
  const it = await setupDiscussion();
  const ids: string[] = [it.discussion.id];
  for (let i = 1; i < many; i++) {
    database.clock.pass(SECOND);
    ids.push((await createTestDiscussion(database, it.tomas, it.group.id, { title: `Title ${i}` })).id);
  }
  for (const [i, id] of ids.entries()) if (i % 2 === 0) await read(it.mira, id);
  return { ...it, ids };
}
const read = (viewer: SignedIn, discussionId: string) =>
  within((tx) => markRead(tx, viewer, { discussionId, upTo: 1 }));

async function listed(viewer: Viewer, groupId: string, after?: string) {
  const page = await listDiscussions(db, viewer, await getGroup(db, viewer, groupId), {
    ...(after && { after }),
  });
  return { ids: page.rows.map(({ id }) => id), next: page.next ?? undefined };
}

describe("list of a group's discussions by activity", () => {
  test("lists unread discussions first, then the rest", async () => {
    const { mira, tomas, group, guest, ids } = await halfRead(5);
    const [a, b, c, d, e] = ids as [string, string, string, string, string];
    expect((await listed(mira, group.id)).ids).toEqual([d, b, e, c, a]);
    await within((tx) => setFollowLevel(tx, mira, { discussionId: d, level: "muted" }));
    expect((await listed(mira, group.id)).ids).toEqual([b, e, d, c, a]);
    database.clock.pass(SECOND);
    await createTestReply(database, tomas, a);
    expect((await listed(mira, group.id)).ids).toEqual([a, b, e, d, c]);
    expect((await listed(guest, group.id)).ids).toEqual([a, e, d, c, b]);
    const sorted = await listDiscussions(db, mira, await getGroup(db, mira, group.id), { sort: "new" });
    expect(sorted.rows.map(({ id }) => id)).toEqual([e, d, c, b, a]);
  });

  test("continues without gaps if discussions are read between two pages", async () => {
    const { mira, group, ids } = await halfRead(60);
    const unread = ids.filter((_, i) => i % 2 === 1).toReversed();
    const rest = ids.filter((_, i) => i % 2 === 0).toReversed();
    const first = await listed(mira, group.id);
    expect(first.ids).toEqual(unread.slice(0, 20));
    const second = await listed(mira, group.id, first.next);
    expect(second.ids).toEqual([...unread.slice(20), ...rest.slice(0, 10)]);

    for (const id of [...first.ids, unread[25]!]) await read(mira, id);
    const again = await listed(mira, group.id, first.next);
    expect(again.ids.slice(0, 9)).toEqual(unread.slice(20).filter((id) => id !== unread[25]));
    const all = [...first.ids, ...again.ids];
    for (let after = again.next; after;) {
      const page = await listed(mira, group.id, after);
      all.push(...page.ids);
      after = page.next;
    }
    expect(new Set(all)).toEqual(new Set(ids));
  });

  test("starts at the beginning for an invalid cursor", async () => {
    const { mira, group } = await halfRead(3);
    const { ids } = await listed(mira, group.id);
    for (const after of ["nothing", "W10", Buffer.from('["x",1,2]').toString("base64url")])
      expect((await listed(mira, group.id, after)).ids).toEqual(ids);
  });
});
