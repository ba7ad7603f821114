import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { one, run, sql } from "#platform/database";
import {
  deletePost,
  getDiscussion,
  hidePost,
  NewDiscussion,
  getPostsPage,
  startDiscussion,
} from "#community/discussions";
import { blockPerson } from "#community/friends";
import { archiveGroup } from "#community/groups";
import { type SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { openZip } from "../archive/zip.ts";
import { findWholeWords } from "../../../../test/support/whole-words.ts";
import {
  clock,
  database,
  db,
  folder,
  makeExport,
  setupExportedGroup,
  storage,
  within,
} from "../../../../test/support/import-export/exported-group.ts";

const DAY = 86_400_000;

type Line = Record<string, unknown> & { type: string };
/** The lines of an export. */
async function linesIn(hash: string): Promise<Line[]> {
  const path = join(folder, "one.zip");
  await writeFile(path, await buffer(await storage.open(hash)));
  const zip = await openZip(path);
  const whole = await text(await zip.read("community.ndjson"));
  zip.close();
  return whole
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

describe("group export content", () => {
  test("includes exactly the posts that its owner can read", async () => {
    const { tomas, mira, noor, ada, groupId, discussion } = await setupExportedGroup();
    await within((tx) => setMembership(tx, groupId, ada, "member"));
    const reply = (who: SignedIn, body: string) => createTestReply(database, who, discussion.id, { body });
    const deleted = await reply(mira, "Taken back");
    const removed = await reply(mira, "Taken away");
    const hidden = await reply(mira, "Reported");
    await reply(ada, "By who is blocked");
    await reply(noor, "By who blocks");
    await within((tx) => deletePost(tx, mira, { postId: deleted.id, reason: "" }));
    await within((tx) => deletePost(tx, tomas, { postId: removed.id, reason: "Not here." }));
    await within((tx) => hidePost(tx, hidden.id));
    await within((tx) => blockPerson(tx, tomas, { personId: ada.id }));
    await within((tx) => blockPerson(tx, noor, { personId: tomas.id }));
    for (const archived of [false, true]) {
      if (archived) await within((tx) => archiveGroup(tx, tomas, { groupId, reason: "" }));
      clock.pass(DAY);
      const { posts } = await getPostsPage(db, tomas, await getDiscussion(db, tomas, discussion.id), {
        page: 1,
      });
      const lines = await linesIn((await makeExport(tomas, groupId)).hash);
      const exportedPosts = lines.filter(({ type }) => type === "post");
      expect(exportedPosts.map(({ number, body }) => [number, body !== undefined])).toEqual(
        posts.map(({ number, stub }) => [number, stub === null]),
      );
      expect(exportedPosts.map(({ state }) => state)).toEqual([
        "published",
        "deleted_by_author",
        "removed",
        archived ? "removed" : "hidden",
        "removed",
        "published",
      ]);
      const { name } = await one(
        db,
        sql<{ name: string }>`select display_name as name from people where id = ${noor.id}`,
      );
      expect(lines.filter(({ type }) => type === "user").map(({ name: called }) => called)).toContain(name);
    }
  });

  test("includes nothing from outside the group, and of people only their names", async () => {
    const { tomas, mira, groupId, ...people } = await setupExportedGroup();
    await run(
      db,
      sql`update people set bio_md = 'A life', location = 'Under a hill', pronouns = 'they/them',
        password_hash = 'argon2' where id = ${mira.id}`,
    );
    const other = await createTestGroup(database, { tomas, mira }, { visibility: "secret", name: "Attic" });
    await createTestDiscussion(database, tomas, other.id, { title: "In the attic", body: "Upstairs" });
    await run(
      db,
      sql`update memberships set reason = 'A reason', answers = '[{"question":"Q?","answer":"An answer"}]'
        where group_id = ${groupId}`,
    );
    await within((tx) => setMembership(tx, groupId, people.ines, "requested"));
    await within((tx) => setMembership(tx, groupId, people.ada, "banned"));
    const lines = await linesIn((await makeExport(tomas, groupId)).hash);
    const whole = JSON.stringify(lines);
    const strange = [
      "A life",
      "Under a hill",
      "they/them",
      "argon2",
      "Attic",
      "Upstairs",
      "A reason",
      "An answer",
      "ines",
      "ada",
    ];
    expect(whole).not.toContain("@example.org");
    expect(findWholeWords(whole, strange)).toEqual([]);
    for (const { type, ...user } of lines)
      if (type === "user") expect(Object.keys(user)).toEqual(["id", "username", "name"]);
    expect([...new Set(lines.map(({ type }) => type))]).toEqual([
      "format",
      "user",
      "group",
      "membership",
      "discussion",
      "post",
    ]);
  });

  test("names neither people who block its requester nor closed accounts", async () => {
    const { tomas, mira, noor, groupId } = await setupExportedGroup();
    await run(
      db,
      sql`insert into resources (id, group_id, owner_id, kind, title, why, body_md, body_html, tags, language,
        state, audience, created_at)
          values (gen_random_uuid(), ${groupId}, ${mira.id}, 'document', 'Notes', '', 'Noted', '', '{}', 'en',
            'published', 'group', now())`,
    );
    await within((tx) =>
      startDiscussion(
        tx,
        noor,
        NewDiscussion.parse({ groupId, title: "Before leaving", body: "Bye.", tags: [] }),
      ),
    );
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    await run(db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${noor.id}`);
    const lines = await linesIn((await makeExport(tomas, groupId)).hash);
    expect(lines.find(({ type }) => type === "resource")).toMatchObject({ owner: "nobody", body: "Noted" });
    const formerMembers = lines.filter(({ type, gone: isGone }) => type === "user" && isGone);
    expect(formerMembers.map(({ id, name }) => [id, name])).toEqual([
      [noor.id, "Former member"],
      ["nobody", "Former member"],
    ]);
    expect(JSON.stringify(lines)).not.toContain("Noor");
  });
});
