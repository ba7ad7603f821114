import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { toEnglish } from "#platform/messages";
import { API_ENTITIES } from "#community/api-entities";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import { createAllViewers } from "../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { unsupportedReason } from "./index.ts";
import { matchingRefusal, createRecordSetup } from "../../../test/support/services/record-setup.ts";

const database = await testDatabase();
const { create, change, remove, getRow, setupGroup } = createRecordSetup(database);
const { db } = database;

describe("saving a record", () => {
  test("with a column of an invalid type is refused with a short error", async () => {
    const { mira, tomas, groupId, discussion } = await setupGroup();
    for (const odd of [{ toString: 1 }, { toString: 1, valueOf: 1 }, ["x"], 7, true, "x".repeat(100_000)])
      for (const [entity, id, given] of [
        ["Discussions", discussion.id, { locked: true, lockedReason: odd }],
        ["Discussions", discussion.id, { state: odd }],
        ["Discussions", discussion.id, { state: "archived", reason: odd }],
        ["Memberships", `${groupId}:${mira.id}`, { state: odd }],
        ["Groups", groupId, { state: odd }],
        ["Groups", groupId, { lastActiveAt: odd }],
      ] as const) {
        const outcome = await change(tomas, entity, id, given).then(
          () => "done",
          ({ name, message }: Error) => `${name} ${message}`,
        );
        expect([outcome.slice(0, 200), outcome.length < 500]).toEqual([
          expect.stringMatching(/^(Refusal|done)/),
          true,
        ]);
      }
  });

  test("starts a conversation, or sends a message to it", async () => {
    const { mira, tomas, noor, ada } = await setupGroup();
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const id = await create(mira, "Conversations", { to: ["tomas", "noor"], text: "Hello." });
    await change(tomas, "Conversations", id, { standing: "accepted", archived: true });
    expect(await getRow(tomas, "Conversations", id)).toMatchObject({
      standing: "accepted",
      archived: true,
      unread: 1,
      kind: "group",
    });
    const message = await create(tomas, "Messages", { conversationId: id, text: "Good day." });
    await change(tomas, "Messages", message, { text: "Good evening." });
    await expect(change(mira, "Messages", message, { text: "No." })).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await remove(tomas, "Messages", message);
    expect(await getRow(mira, "Messages", message)).toMatchObject({ text: null, stub: "deleted" });
    await change(mira, "Conversations", id, { name: "Beans", readUpTo: 2 });
    expect(await getRow(mira, "Conversations", id)).toMatchObject({ name: "Beans", unread: 0 });
    await remove(noor, "Conversations", id);
    await create(mira, "Participants", { conversationId: id, personId: ada.id });
    await remove(mira, "Participants", `${id}:${ada.id}`);
    await expect(create(ada, "Messages", { conversationId: id, text: "?" })).rejects.toMatchObject(
      matchingRefusal("not-found"),
    );
  });

  test("creates library items and groups", async () => {
    const { mira, tomas, groupId } = await setupGroup();
    const link = await create(mira, "Resources", {
      kind: "link",
      title: "Beans",
      url: "https://example.org/beans",
      groupId,
    });
    await create(tomas, "Comments", { resourceId: link, text: "Good." });
    expect(await getRow(mira, "Resources", link)).toMatchObject({ kind: "link", commentsCount: 1, groupId });
    await change(mira, "Resources", link, {
      ...(await getRow(mira, "Resources", link)),
      title: "Broad beans",
    });
    expect(await getRow(tomas, "Resources", link)).toMatchObject({
      title: "Broad beans",
      changes: 1,
      editsBy: "owner",
    });
    await expect(change(mira, "Resources", link, { title: "Beans", changes: 0 })).rejects.toMatchObject(
      matchingRefusal("conflict"),
    );
    await expect(remove(tomas, "Resources", link)).rejects.toMatchObject(
      matchingRefusal("invalid", /Enter a reason/),
    );
    await remove(mira, "Resources", link);
    await expect(getRow(mira, "Resources", link)).rejects.toMatchObject(matchingRefusal("not-found"));
    await expect(create(mira, "Resources", { kind: "song", title: "Beans" })).rejects.toMatchObject(
      matchingRefusal("invalid", /link/),
    );
    const collection = await create(tomas, "Collections", { title: "Beans", groupId });
    await change(tomas, "Collections", collection, { about: "All." });
    expect(await getRow(mira, "Collections", collection)).toMatchObject({ title: "Beans", about: "All." });
    await expect(remove(mira, "Collections", collection)).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await remove(tomas, "Collections", collection);
    const group = await create(mira, "Groups", { name: "Water", visibility: "public", joinPolicy: "open" });
    await change(mira, "Groups", group, { ...(await getRow(mira, "Groups", group)), purpose: "Wells." });
    await change(mira, "Groups", group, { state: "archived" });
    expect(await getRow(mira, "Groups", group)).toMatchObject({ purpose: "Wells.", state: "archived" });
    await remove(mira, "Groups", group);
    await expect(getRow(mira, "Groups", group)).rejects.toMatchObject(matchingRefusal("not-found"));
  });

  test("changes a person only if it is the caller, without email address and role", async () => {
    const { mira, tomas } = await setupGroup();
    await change(mira, "Users", mira.id, {
      ...(await getRow(mira, "Users", mira.id)),
      location: "Lindenhof",
    });
    expect(await getRow(mira, "Users", mira.id)).toMatchObject({ location: "Lindenhof" });
    await expect(change(tomas, "Users", mira.id, { location: "Elsewhere" })).rejects.toMatchObject(
      matchingRefusal("not-found"),
    );
    await expect(change(mira, "Users", mira.id, { role: "admin" })).rejects.toMatchObject(
      matchingRefusal("not-allowed", /role/),
    );
    await expect(change(mira, "Users", mira.id, { email: "other@example.org" })).rejects.toMatchObject(
      matchingRefusal("not-allowed", /email/),
    );
  });
});

test("each entity documents its save commands, with a reason for each missing command", async () => {
  const people: TestUsers = await createTestUsers(database);
  for (const { name } of API_ENTITIES)
    for (const act of ["create", "update", "remove"] as const) {
      const why = unsupportedReason(name, act);
      expect([name, act, why === null || /^[A-Z].*\.$/.test(toEnglish(why))]).toEqual([name, act, true]);
      if (why && act === "create")
        await expect(create(people.ada, name, {})).rejects.toMatchObject(matchingRefusal("not-allowed"));
    }
});

test("saving and removing records reveals nothing to outsiders", async () => {
  const people = await createTestUsers(database);
  const at = await createLeakCommunity(database, people, "secret");
  const known: Record<string, string> = {
    Groups: at.groupId,
    Discussions: at.discussionId,
    Posts: at.postId,
    Messages: at.messageId,
    Conversations: at.conversationId,
    Resources: at.resourceId,
    Memberships: `${at.groupId}:${people.mira.id}`,
  };
  const anything = { text: "?", title: "Other", purpose: "?", why: "?", name: "Other", role: "?" };
  const answerOf = (act: Promise<unknown>) =>
    act.then(
      () => "done",
      (error: Error) => error.message,
    );
  for (const [it, viewer] of await createAllViewers(database, people, at.groupId)) {
    if (it === "member") continue;
    for (const [entity, id] of Object.entries(known)) {
      // An invited person knows the group but nothing in it.
      const expected =
        it === "invited" && entity === "Groups" ? /^Only (moderators|owners)/ : /^Not found\.$/;
      for (const act of [() => change(viewer, entity, id, anything), () => remove(viewer, entity, id)])
        expect([it, entity, await answerOf(act())]).toEqual([it, entity, expect.stringMatching(expected)]);
    }
  }
});
