import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { updateGroup } from "#community/groups";
import { type SignedIn, type Viewer } from "#community/rules";
import { createTestReply } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  archiveDiscussion,
  listMentionables,
  deletePost,
  lockDiscussion,
  draftTargets,
  renderPreview,
  renderQuote,
  countRepliesSince,
} from "../index.ts";
import { createMentionSetup } from "../../../../test/support/discussions/mention-setup.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { setting, mentionsOf } = createMentionSetup(database);

describe("mention suggestions", () => {
  test("include only members in a members-only discussion of a public group", async () => {
    const { mira, tomas, noor, discussion, group } = await setting("public");
    await run(db, sql`update discussions set audience = 'members' where id = ${discussion.id}`);
    const there = draftTargets.discussion(discussion.id);
    expect([
      await listMentionables(db, mira, there, "noor"),
      (await renderPreview(db, mira, there, "@noor @tomas")).plain,
    ]).toEqual([[], ["noor"]]);
    const { id, plain } = await createTestReply(database, mira, discussion.id, { body: "@noor @tomas" });
    expect([plain, await mentionsOf(id)]).toEqual([["noor"], [tomas.id]]);
    expect(await listMentionables(db, mira, draftTargets.group(group.id), "noor")).toMatchObject([
      { id: noor.id },
    ]);
  });

  test("include members by name or username, other people only if listed in the directory", async () => {
    const { mira, noor, guest, group, discussion } = await setting("public");
    const names = (typed: string) =>
      listMentionables(db, mira, draftTargets.discussion(discussion.id), typed).then((found) =>
        found.map((it) => it.name),
      );
    expect(await names("tom")).toEqual(["tomas"]);
    expect(await names("noo")).toEqual(["noor"]);
    expect(await names(group.slug.slice(0, 5))).toEqual([group.slug]);
    expect(await names("%")).toEqual([]);
    expect(await names("mir")).toEqual([]);
    await run(
      db,
      sql`update people set privacy = '{"inDirectory":false}' where username in ('noor', 'tomas')`,
    );
    expect(await names("noo")).toEqual([]);
    expect(await names("tom")).toEqual(["tomas"]);
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    expect(await names("noo")).toEqual([]);
    await expect(
      listMentionables(db, guest, draftTargets.discussion(discussion.id), "tom"),
    ).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await expect(listMentionables(db, noor, draftTargets.group(group.id), "tom")).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("include only names whose mention links to that person or group", async () => {
    const { mira, tomas, group, discussion } = await setting("public");
    await run(db, sql`update groups set slug = 'tomas' where id = ${group.id}`);
    const there = draftTargets.discussion(discussion.id);
    expect(await listMentionables(db, mira, there, "tomas")).toMatchObject([
      { id: tomas.id, isGroup: false },
    ]);
    await run(db, sql`update people set username = 'tomas.' where id = ${tomas.id}`);
    expect(await listMentionables(db, mira, there, "tomas")).toMatchObject([{ id: group.id, isGroup: true }]);
    expect((await renderPreview(db, mira, there, "@tomas")).html).toContain(`/groups/${group.id}`);
  });

  test("return not-found for a target that the viewer may not see", async () => {
    const { noor, group, discussion } = await setting("secret");
    for (const at of [
      draftTargets.discussion(discussion.id),
      draftTargets.group(group.id),
      "conversation:x",
      "",
      "group:",
      "discussion:\0",
    ])
      await expect(listMentionables(db, noor, at, "tom")).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("preview", () => {
  test("shows the text as it would be stored, and requires permission to write", async () => {
    const { mira, tomas, noor, guest, group, discussion } = await setting();
    const look = (viewer: Viewer, at: string) => renderPreview(db, viewer, at, "@tomas and @noor");
    const seen = { html: `<p><a href="/users/${tomas.id}">@tomas</a> and @noor</p>\n`, plain: ["noor"] };
    expect(await look(mira, draftTargets.discussion(discussion.id))).toEqual(seen);
    expect(await look(mira, draftTargets.group(group.id))).toEqual(seen);
    expect(await many(db, sql`select from post_mentions`)).toEqual([]);
    await expect(look(noor, draftTargets.discussion(discussion.id))).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(look(noor, draftTargets.group(group.id))).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(look(guest, draftTargets.group(group.id))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
  });
});

describe("group where only moderators start discussions", () => {
  const scene = async () => {
    const all = await setting();
    await within((tx) => updateGroup(tx, all.tomas, { groupId: all.group.id, startsBy: "moderators" }));
    return {
      ...all,
      answer: draftTargets.discussion(all.discussion.id),
      anew: draftTargets.group(all.group.id),
    };
  };

  test("shows members previews and suggestions for replies, but not for a new discussion", async () => {
    const { mira, tomas, answer, anew } = await scene();
    expect((await renderPreview(db, mira, answer, "Yes.")).html).toBe("<p>Yes.</p>\n");
    expect(await listMentionables(db, mira, answer, "tom")).toMatchObject([{ name: "tomas" }]);
    const refused = {
      reason: "not-allowed",
      message: "Only moderators can start discussions in this group.",
    };
    await expect(renderPreview(db, mira, anew, "Yes.")).rejects.toMatchObject(refused);
    await expect(listMentionables(db, mira, anew, "tom")).rejects.toMatchObject(refused);
    expect((await renderPreview(db, tomas, anew, "Yes.")).html).toBe("<p>Yes.</p>\n");
  });
});

test("a reply preview is refused in a locked or archived discussion, except to moderators", async () => {
  const { mira, tomas, discussion } = await setting();
  const look = (viewer: SignedIn) =>
    renderPreview(db, viewer, draftTargets.discussion(discussion.id), "Yes.");
  await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "It is said." }));
  await expect(look(mira)).rejects.toMatchObject({
    reason: "not-allowed",
    message: "This discussion is closed for replies.",
  });
  expect((await look(tomas)).html).toBe("<p>Yes.</p>\n");
  await within((tx) => archiveDiscussion(tx, tomas, { discussionId: discussion.id, reason: "It is old." }));
  await expect(look(mira)).rejects.toMatchObject({ reason: "not-allowed", message: /^This is archived/ });
  expect((await look(tomas)).html).toBe("<p>Yes.</p>\n");
});

describe("quote", () => {
  test("contains a readable post with “>” before each line, and is refused for other posts", async () => {
    const { mira, tomas, noor, discussion, reply } = await setting();
    const { id } = await reply(mira, "One *line*.\n\nAnother.");
    expect(await renderQuote(db, tomas, id)).toBe("> One *line*.\n>\n> Another.\n\n");
    await expect(renderQuote(db, noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => deletePost(tx, mira, { postId: id }));
    await expect(renderQuote(db, tomas, id)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    await expect(renderQuote(db, tomas, discussion.postId)).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

test("the count of new replies excludes own replies, and names no one across a block", async () => {
  const { mira, tomas, noor, discussion, reply } = await setting();
  expect(await countRepliesSince(db, mira, discussion.id, 1)).toEqual({ count: 0, first: null, by: null });
  await reply(mira, "Mine");
  await reply(tomas, "His");
  expect(await countRepliesSince(db, mira, discussion.id, 1)).toMatchObject({
    count: 1,
    first: 3,
    by: { username: "tomas" },
  });
  await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
  expect(await countRepliesSince(db, mira, discussion.id, 1)).toEqual({ count: 1, first: 3, by: null });
  await expect(countRepliesSince(db, noor, discussion.id, 1)).rejects.toMatchObject({ reason: "not-found" });
});
