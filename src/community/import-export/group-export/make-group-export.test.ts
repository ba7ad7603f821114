import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { many, one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { openFolderStorage, type Storage } from "#platform/storage";
import {
  deletePost,
  getDiscussion,
  hidePost,
  NewDiscussion,
  getPostsPage,
  startDiscussion,
} from "#community/discussions";
import { blockPerson } from "#community/friends";
import {
  archiveGroup,
  requestGroupExport,
  banFromGroup,
  deleteGroup,
  deleteExpiredGroupExports,
  getGroupExportFile,
  completeGroupExport,
  getGroupExportStatus,
  getGroup,
  transferOwnership,
  leaveGroup,
  purgeDeletedGroups,
} from "#community/groups";
import { listGroupLog } from "#community/moderation";
import { eraseDeactivated } from "#community/accounts";
import { GUEST, type SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { openZip } from "../archive/zip.ts";
import { makeGroupExport } from "../index.ts";
import { findWholeWords } from "../../../../test/support/whole-words.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-along-"));
afterAll(() => rm(folder, { recursive: true }));
const storage = openFolderStorage(join(folder, "files"));
const DAY = 86_400_000;
const FROM = {
  community: "Lindenhof",
  linkTo: (slug: string) => `https://kith.test/groups/${slug}/manage/end`,
};
const NOT_FOUND = { reason: "not-found" };

/** A secret group owned by Tomas and Noor, with Mira as a member. */
async function scene() {
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people, { visibility: "secret", name: "Cellar" });
  await within((tx) => setMembership(tx, groupId, people.noor, "owner"));
  const discussion = await createTestDiscussion(database, people.mira, groupId, {
    title: "Own title",
    body: "First words",
  });
  const state = async (who: SignedIn) =>
    getGroupExportStatus(db, who, await getGroup(db, who, groupId), clock.at);
  return { ...people, groupId, discussion, state };
}

const ask = (who: SignedIn, groupId: string) => within((tx) => requestGroupExport(tx, who, { groupId }));
async function making(id: string, into: Storage = storage) {
  const it = await makeGroupExport({ database, storage: into }, id);
  if (it) await within((tx) => completeGroupExport(tx, it, FROM));
  return it;
}
async function made(who: SignedIn, groupId: string) {
  const { id } = await ask(who, groupId);
  return (await making(id))!;
}
const fileFor = (who: SignedIn | typeof GUEST, id: string) => getGroupExportFile(db, who, id, clock.at);

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

describe("group export", () => {
  test("can be requested and watched by owners only", async () => {
    const { tomas, mira, noor, ada, ines, groupId, state } = await scene();
    await within((tx) => setMembership(tx, groupId, ada, "member"));
    await within((tx) => setMembership(tx, groupId, ines, "moderator"));
    for (const who of [mira, ada, ines]) {
      await expect(ask(who, groupId)).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(state(who)).rejects.toMatchObject({ reason: "not-allowed" });
    }
    await expect(within((tx) => requestGroupExport(tx, GUEST, { groupId }))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await ask(tomas, groupId);
    expect(await state(tomas)).toMatchObject({ latest: { state: "making", mine: true }, own: null });
    expect(await state(noor)).toMatchObject({ latest: { state: "making", mine: false }, own: null });
  });

  test("runs once at a time and once a day per group; a failed one does not count", async () => {
    const { tomas, noor, groupId, state } = await scene();
    const { id } = await ask(tomas, groupId);
    await expect(ask(noor, groupId)).rejects.toMatchObject({ reason: "conflict" });
    await making(id);
    expect(await making(id)).toBeNull();
    await expect(ask(noor, groupId)).rejects.toMatchObject({ reason: "too-many" });
    expect((await state(noor)).againAt).toEqual(new Date(clock.at.getTime() + DAY));
    clock.pass(DAY);
    const second = await ask(noor, groupId);
    // Each owner has their own export.
    expect(await fileFor(tomas, id)).toMatchObject({ slug: `cellar-${groupId.slice(-6)}` });
    clock.pass(6 * 3_600_000);
    expect(await state(noor)).toMatchObject({ latest: { state: "failed", mine: true }, own: null });
    expect(await making(second.id)).toBeNull();
    clock.pass(DAY);
    expect(await state(noor)).toMatchObject({ latest: { state: "ready", mine: false }, againAt: null });
    const third = await made(tomas, groupId);
    await expect(fileFor(tomas, id)).rejects.toMatchObject(NOT_FOUND);
    expect((await state(tomas)).own).toMatchObject({ id: third.id, size: third.size });
  });

  test("stops at two gigabytes and tells its requester", async () => {
    const { tomas, groupId, state } = await scene();
    const small: Storage = { ...storage, put: (from, most) => storage.put(from, Math.min(most, 200)) };
    expect(await making((await ask(tomas, groupId)).id, small)).toBeNull();
    expect(await state(tomas)).toMatchObject({
      latest: { state: "too-large", mine: true },
      own: null,
      againAt: expect.any(Date),
    });
    const broken: Storage = {
      ...storage,
      put: async () => Promise.reject(new Refusal("conflict", "No room.")),
    };
    clock.pass(DAY);
    await expect(making((await ask(tomas, groupId)).id, broken)).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await state(tomas)).toMatchObject({ latest: { state: "making" } });
  });

  test("the file is made only for a current owner", async () => {
    const { tomas, noor, groupId, state } = await scene();
    const { id } = await ask(tomas, groupId);
    await within((tx) => transferOwnership(tx, tomas, { groupId, personId: noor.id }));
    expect(await making(id)).toBeNull();
    expect(await state(noor)).toEqual({ latest: null, own: null, againAt: null });
    const second = await ask(noor, groupId);
    const it = await makeGroupExport({ database, storage }, second.id);
    await within((tx) =>
      run(
        tx,
        sql`update memberships set role = 'member' where group_id = ${groupId} and person_id = ${noor.id}`,
      ),
    );
    await within((tx) => completeGroupExport(tx, it!, FROM));
    await expect(fileFor(noor, second.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await listMailbox(db, "noor@example.org")).toEqual([]);
    expect(await within(deleteExpiredGroupExports)).toEqual([it!.hash]);
  });

  test("sends a mail and writes an entry in the group's log", async () => {
    const { tomas, noor, groupId } = await scene();
    await made(tomas, groupId);
    const [mail] = await listMailbox(db, "tomas@example.org");
    expect(mail!.text).toContain(`https://kith.test/groups/cellar-${groupId.slice(-6)}/manage/end`);
    expect(await listMailbox(db, "noor@example.org")).toEqual([]);
    const { rows } = await listGroupLog(db, noor, await getGroup(db, noor, groupId));
    expect(rows[0]).toMatchObject({ act: "group.exported", by: { username: "tomas" } });
  });
});

describe("a finished group export", () => {
  test("can be downloaded by its requester for seven days", async () => {
    const { tomas, noor, mira, ada, groupId } = await scene();
    const { id, hash, size } = await made(tomas, groupId);
    expect(await fileFor(tomas, id)).toEqual({ hash, size, slug: `cellar-${groupId.slice(-6)}` });
    for (const who of [noor, mira, ada, GUEST])
      await expect(fileFor(who, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(fileFor(tomas, "nonsense")).rejects.toMatchObject(NOT_FOUND);
    expect(await within(deleteExpiredGroupExports)).toEqual([]);
    clock.pass(7 * DAY);
    await expect(fileFor(tomas, id)).rejects.toMatchObject(NOT_FOUND);
    expect(await within(deleteExpiredGroupExports)).toEqual([hash]);
    expect(await many(db, sql`select 1 from group_exports`)).toEqual([]);
  });

  test.each([
    [
      "hands the group over",
      ({ tomas, noor, groupId }) =>
        within((tx) => transferOwnership(tx, tomas, { groupId, personId: noor.id })),
    ],
    ["leaves it", ({ tomas, groupId }) => within((tx) => leaveGroup(tx, tomas, { groupId }))],
    [
      "is kept out",
      ({ tomas, noor, groupId }) =>
        within((tx) => banFromGroup(tx, noor, { groupId, personId: tomas.id, reason: "Loud." })),
    ],
    ["deletes it", ({ tomas, groupId }) => within((tx) => deleteGroup(tx, tomas, { groupId, reason: "" }))],
  ] as [string, (it: Awaited<ReturnType<typeof scene>>) => Promise<unknown>][])(
    "returns not-found to a person who %s",
    async (_, then) => {
      const it = await scene();
      const { id } = await made(it.tomas, it.groupId);
      await fileFor(it.tomas, id);
      await then(it);
      await expect(fileFor(it.tomas, id)).rejects.toMatchObject(NOT_FOUND);
    },
  );

  test("the file is deleted with the account and with the group", async () => {
    const { tomas, noor, groupId } = await scene();
    const first = await made(tomas, groupId);
    await within((tx) =>
      run(
        tx,
        sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${tomas.id}`,
      ),
    );
    await within(eraseDeactivated);
    expect(await within(deleteExpiredGroupExports)).toEqual([first.hash]);
    clock.pass(DAY);
    const second = await made(noor, groupId);
    await within((tx) => deleteGroup(tx, noor, { groupId, reason: "" }));
    await run(db, sql`update groups set deleted_at = ${new Date(0)} where id = ${groupId}`);
    await within(purgeDeletedGroups);
    expect(await within(deleteExpiredGroupExports)).toEqual([second.hash]);
  });

  test("keeps its bytes while another owner has the same", async () => {
    const { tomas, noor, groupId } = await scene();
    const first = await made(tomas, groupId);
    clock.pass(6 * DAY);
    const second = await made(noor, groupId);
    expect(second.hash).toBe(first.hash);
    clock.pass(DAY);
    expect(await within(deleteExpiredGroupExports)).toEqual([]);
    clock.pass(6 * DAY);
    expect(await within(deleteExpiredGroupExports)).toEqual([first.hash]);
  });
});

describe("group export content", () => {
  test("has the text of exactly those posts that its owner can read", async () => {
    const { tomas, mira, noor, ada, groupId, discussion } = await scene();
    await within((tx) => setMembership(tx, groupId, ada, "member"));
    const say = (who: SignedIn, body: string) => createTestReply(database, who, discussion.id, { body });
    const slip = await say(mira, "Taken back");
    const removed = await say(mira, "Taken away");
    const hidden = await say(mira, "Reported");
    await say(ada, "By who is blocked");
    await say(noor, "By who blocks");
    await within((tx) => deletePost(tx, mira, { postId: slip.id, reason: "" }));
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
      const lines = await linesIn((await made(tomas, groupId)).hash);
      const told = lines.filter(({ type }) => type === "post");
      expect(told.map(({ number, body }) => [number, body !== undefined])).toEqual(
        posts.map(({ number, stub }) => [number, stub === null]),
      );
      expect(told.map(({ state }) => state)).toEqual([
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

  test("has nothing from outside the group and only names of people", async () => {
    const { tomas, mira, groupId, ...people } = await scene();
    await run(
      db,
      sql`update people set bio_md = 'A life', location = 'Under a hill', pronouns = 'they/them', password_hash = 'argon2' where id = ${mira.id}`,
    );
    const other = await createTestGroup(database, { tomas, mira }, { visibility: "secret", name: "Attic" });
    await createTestDiscussion(database, tomas, other.id, { title: "In the attic", body: "Upstairs" });
    await run(
      db,
      sql`update memberships set reason = 'A reason', answers = '[{"question":"Q?","answer":"An answer"}]' where group_id = ${groupId}`,
    );
    await within((tx) => setMembership(tx, groupId, people.ines, "requested"));
    await within((tx) => setMembership(tx, groupId, people.ada, "banned"));
    const lines = await linesIn((await made(tomas, groupId)).hash);
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

  test("leaves resource owners who block the reader unnamed, and people who left everywhere", async () => {
    const { tomas, mira, noor, groupId } = await scene();
    await run(
      db,
      sql`insert into resources (id, group_id, owner_id, kind, title, why, body_md, body_html, tags, language, state, audience, created_at)
          values (gen_random_uuid(), ${groupId}, ${mira.id}, 'document', 'Notes', '', 'Noted', '', '{}', 'en', 'published', 'group', now())`,
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
    const lines = await linesIn((await made(tomas, groupId)).hash);
    expect(lines.find(({ type }) => type === "resource")).toMatchObject({ owner: "nobody", body: "Noted" });
    const gone = lines.filter(({ type, gone: isGone }) => type === "user" && isGone);
    expect(gone.map(({ id, name }) => [id, name])).toEqual([
      [noor.id, "Former member"],
      ["nobody", "Former member"],
    ]);
    expect(JSON.stringify(lines)).not.toContain("Noor");
  });
});
