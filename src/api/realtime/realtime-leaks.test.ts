import { describe, expect, test } from "vitest";
import { addReaction } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { leaveGroup } from "#community/groups";
import { addLink, addComment, moveResource, NewLink, removeResource } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createPerson,
} from "../../../test/support/test-users.ts";
import { collectAnswers, waitForConnect } from "../../../test/support/realtime/sdk-connection.ts";
import {
  VIEWER_CLASSES,
  database,
  runEveryEvent,
  GROUP_SECRET,
  sdkConnection,
  followEverything,
  GROUP_NAME,
  BLOCKED_SECRET,
  people,
  EXPECTED_VISIBILITY,
  createViewerOf,
  within,
} from "../../../test/support/realtime/leak-setup.ts";

describe.each(["public", "private", "secret"] as const)("real-time events of a %s group", (visibility) => {
  test.each(VIEWER_CLASSES)(
    "reach a viewer who is %s exactly as the visibility rules define",
    async (viewerClass) => {
      const group = await createTestGroup(database, people, { visibility, name: GROUP_NAME });
      const discussion = await createTestDiscussion(database, people.mira, group.id, {
        title: `${GROUP_SECRET} for all`,
        body: GROUP_SECRET,
      });
      const viewer = await createViewerOf(group.id, viewerClass);
      const subject = await followEverything(viewer, [
        `groupId = '${group.id}'`,
        `discussionId = '${discussion.id}'`,
        `objectId = '${group.id}'`,
      ]);
      const control = await followEverything(people.tomas);
      await runEveryEvent(group.id, discussion);
      // Last event of each delivery queue: of the discussion, the removed discussion and the group.
      const last = [
        /"locked":true/,
        /"table":"Comments","event":"created"/,
        /"table":"Discussions","event":"deleted"/,
        /"table":"Groups","event":"updated"/,
        /"table":"Memberships","event":"deleted"/,
      ];
      while (!last.every((word) => word.test(control.texts()))) await control.settled();
      await subject.settled();

      const may = EXPECTED_VISIBILITY[visibility](viewerClass);
      const tables = new Set(
        subject.received.filter(({ data }) => data["personId"] !== viewer.id).map(({ table }) => table),
      );
      const events = new Set(subject.received.map(({ table, event }) => `${table} ${event}`));
      expect({
        name: subject.texts().includes(GROUP_NAME),
        inside: subject.texts().includes(GROUP_SECRET),
        members: tables.has("Memberships"),
      }).toEqual(may);
      for (const table of ["Posts", "Discussions", "Reactions", "Comments"])
        expect([table, tables.has(table)]).toEqual([table, may.inside]);
      if (may.inside) expect(events).toContain("Discussions deleted");
      expect(tables.has("Groups")).toBe(may.name);
    },
  );
});

describe("real-time events between blocked people", () => {
  test("contain no content or activity of the other person", async () => {
    const group = await createTestGroup(database, people);
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const [bram, cleo] = await within(async (tx) => {
      const both = [await createPerson(tx, "bram"), await createPerson(tx, "cleo")] as [SignedIn, SignedIn];
      for (const viewer of both) await setMembership(tx, group.id, viewer, "member");
      return both;
    });
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    const [his, hers, control] = [
      await followEverything(bram),
      await followEverything(cleo),
      await followEverything(people.tomas),
    ];
    for (const viewer of [bram, cleo]) {
      await createTestReply(database, viewer, discussion.id, { body: BLOCKED_SECRET });
      await within((tx) => addReaction(tx, viewer, { postId: discussion.postId, emoji: "🍐" }));
      await within((tx) => leaveGroup(tx, viewer, { groupId: group.id }));
    }
    // Last event of each delivery queue: of the group and the discussion.
    const countEvents = (what: string, how: string) =>
      control.received.filter(({ event, table }) => table === what && event === how).length;
    while (countEvents("Memberships", "deleted") < 2 || countEvents("Reactions", "created") < 2)
      await control.settled();
    await his.settled();
    await hers.settled();
    const posts = (of: typeof his) =>
      of.received
        .filter(({ table, event }) => table === "Posts" && event === "created")
        .map(({ data }) => data["text"]);
    const reactions = (of: typeof his) =>
      of.received.filter(({ table }) => table === "Reactions").map(({ data }) => data["ownerId"]);
    expect(posts(control)).toEqual([BLOCKED_SECRET, BLOCKED_SECRET]);
    expect([posts(his), reactions(his)]).toEqual([[BLOCKED_SECRET, null], [bram.id]]);
    expect([posts(hers), reactions(hers)]).toEqual([[null, BLOCKED_SECRET], [cleo.id]]);
    expect(hers.texts()).not.toContain(bram.id);
  });
});

describe("real-time events of resource comments", () => {
  test("contain a stub between blocked people, and end when the resource is removed", async () => {
    const { mira, noor, tomas } = people;
    const hidden = await createTestGroup(database, people, { visibility: "secret" });
    const add = (groupId?: string) =>
      within((tx) => addLink(tx, mira, NewLink.parse({ groupId, url: "https://example.org", title: "It" })));
    const [{ id: resourceId }, { id: hiddenId }] = [await add(), await add(hidden.id)];
    await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
    const follow = async (viewer: Viewer, id: string) => {
      const socket = await sdkConnection.socket(viewer);
      await waitForConnect(socket);
      const answer = collectAnswers(socket).follow("Comments", "created", `resourceId = '${id}'`);
      return { first: await answer.next(), next: () => answer.next() };
    };
    for (const viewer of [noor, people.guest, people.ada])
      expect((await follow(viewer, hiddenId)).first).toMatchObject({ error: { code: 404 } });
    const [hers, guests] = [await follow(noor, resourceId), await follow(people.guest, resourceId)];
    expect([hers.first.event, guests.first.event]).toEqual(["SUB_READY", "SUB_READY"]);
    await within((tx) => addComment(tx, tomas, { resourceId, body: BLOCKED_SECRET }));
    expect(await guests.next()).toMatchObject({
      data: { ownerId: tomas.id, text: BLOCKED_SECRET, groupId: null },
    });
    expect(await hers.next()).toMatchObject({ data: { ownerId: null, text: null, stub: "blocked" } });
    await within((tx) => removeResource(tx, mira, { resourceId, reason: "" }));
    for (const who of [hers, guests]) expect(await who.next()).toMatchObject({ error: { code: 404 } });
    const { id: movedId } = await add();
    const strangers = await follow(noor, movedId);
    const to = { groupId: hidden.id, visibility: "secret", reason: "" } as const;
    await within((tx) => moveResource(tx, mira, { resourceId: movedId, ...to }));
    expect(await strangers.next()).toMatchObject({ error: { code: 404 } });
  });
});
