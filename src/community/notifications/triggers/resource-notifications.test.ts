import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { addComment, deletePost, editPost, addReaction } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { setNotifyLevel } from "#community/groups";
import {
  addDocument,
  addLink,
  editResource,
  followResource,
  NewDocument,
  NewLink,
  removeResource,
  ResourceChange,
} from "#community/resources";
import type { SignedIn } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { muteNotificationSource, listNotifications, markResourceSeen } from "../index.ts";
import {
  dispatchEvents,
  redispatchEvents,
  describeDeliveries,
} from "../../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const deliveriesTo = async (...who: SignedIn[]) => {
  await dispatchEvents(database);
  return Promise.all(who.map((it) => describeDeliveries(database, it)));
};

/** A document of Mira's. */
const aText = async (by: SignedIn, groupId?: string) =>
  (
    await within((tx) =>
      addDocument(tx, by, NewDocument.parse({ title: "Watering", body: "Twice a week.", groupId })),
    )
  ).id;
const follow = (viewer: SignedIn, resourceId: string, level: "watching" | "normal" | "muted") =>
  within((tx) => followResource(tx, viewer, { resourceId, level }));
const comment = (viewer: SignedIn, resourceId: string, body = "Good.", replyTo?: string) =>
  within((tx) => addComment(tx, viewer, { resourceId, body, replyTo }));
const change = (viewer: SignedIn, resourceId: string, changes: number) =>
  within((tx) =>
    editResource(
      tx,
      viewer,
      ResourceChange.parse({
        resourceId,
        changes,
        body: `Text ${changes}`,
        reason: "So.",
        editsBy: "members",
      }),
    ),
  );

describe("library notification", () => {
  test("about a comment reaches mentioned people, the author replied to, the owner and watchers", async () => {
    const { mira, tomas, noor, ines, ada } = await createTestUsers(database);
    const id = await aText(mira);
    await follow(ines, id, "watching");
    const first = await comment(tomas, id);
    expect(await deliveriesTo(mira, tomas, noor, ines)).toEqual([
      ["comment you_keep"],
      [],
      [],
      ["comment watching_resource"],
    ]);
    await comment(noor, id, "@ada and @ines, see?", first.id);
    expect(await deliveriesTo(tomas, ines, ada)).toEqual(
      [["reply you_wrote"], ["mention mentioned", "comment watching_resource"], ["mention mentioned"]].map(
        (it) => expect.arrayContaining(it),
      ),
    );
    await follow(mira, id, "muted");
    await comment(tomas, id, "Once more.");
    await redispatchEvents(database);
    expect(await deliveriesTo(mira, ada)).toEqual([["comment you_keep ×2"], ["mention mentioned"]]);
  });

  test("about a later mention or a reaction reaches the person concerned", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    const id = await aText(mira);
    const { id: postId } = await comment(tomas, id);
    await within((tx) => editPost(tx, tomas, { postId, body: "Good, @noor.", version: 1 }));
    await within((tx) => addReaction(tx, mira, { postId, emoji: "🌱" }));
    expect(await deliveriesTo(noor, tomas)).toEqual([["mention mentioned"], ["reaction your_post"]]);
    await within((tx) => deletePost(tx, tomas, { postId }));
    expect(await deliveriesTo(noor)).toEqual([["mention mentioned withdrawn"]]);
  });

  test("about a new version reaches the owner and watchers, except its author", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    const id = await aText(mira);
    await follow(tomas, id, "watching");
    await change(mira, id, 0);
    expect(await deliveriesTo(mira, tomas)).toEqual([[], ["version watching_resource"]]);
    await change(noor, id, 1);
    expect(await deliveriesTo(mira, tomas)).toEqual([["version you_keep"], ["version watching_resource ×2"]]);
    expect((await listNotifications(db, mira, { tab: "all" })).rows).toMatchObject([
      { kind: "version", object: { kind: "resource", title: "Watering" } },
    ]);
    await within((tx) => markResourceSeen(tx, mira, { resourceId: id }));
    expect(await deliveriesTo(mira)).toEqual([["version you_keep read"]]);
    await within((tx) => removeResource(tx, mira, { resourceId: id, reason: "" }));
    expect(await deliveriesTo(tomas)).toEqual([["version watching_resource withdrawn ×2"]]);
  });

  test("about a dead link remains until the link works again", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const { id } = await within((tx) =>
      addLink(tx, mira, NewLink.parse({ url: "https://example.org/frost", title: "Frost" })),
    );
    await follow(tomas, id, "watching");
    const died = (type: string, health: string) =>
      within(async (tx) => {
        await run(tx, sql`update resources set health = ${health} where id = ${id}`);
        await emit(tx, { type, resourceId: id, groupId: null });
      });
    await died("resource.link-died", "dead");
    expect(await deliveriesTo(mira, tomas)).toEqual([
      ["dead_link you_keep"],
      ["dead_link watching_resource"],
    ]);
    await died("resource.link-revived", "ok");
    expect(await deliveriesTo(mira, tomas)).toEqual([
      ["dead_link you_keep read"],
      ["dead_link watching_resource read"],
    ]);
  });

  test("reaches only people who can see the content and have not muted it", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const id = await aText(mira, group.id);
    for (const viewer of [noor, tomas]) await follow(viewer, id, "watching");
    await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "mute" }));
    await within((tx) => setMembership(tx, group.id, noor, "left"));
    await comment(tomas, id);
    expect(await deliveriesTo(mira, noor, tomas)).toEqual([[], [], []]);
    await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "highlights" }));
    await comment(tomas, id);
    expect(await deliveriesTo(mira)).toEqual([["comment you_keep"]]);
    const [{ id: noticeId }] = (await listNotifications(db, mira, { tab: "all" })).rows as unknown as [
      { id: string },
    ];
    await within((tx) => muteNotificationSource(tx, mira, { id: noticeId }));
    await comment(tomas, id);
    expect(await deliveriesTo(mira)).toEqual([["comment you_keep read"]]);
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    await comment(mira, id);
    expect(await deliveriesTo(tomas)).toEqual([[]]);
  });
});
