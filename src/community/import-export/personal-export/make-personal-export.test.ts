import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { Limits } from "#platform/limits";
import { listMailbox } from "#platform/mail";
import { openFolderStorage } from "#platform/storage";
import {
  openAccounts,
  requestExport,
  eraseDeactivated,
  getExportFile,
  getOwnExport,
  deleteExpiredExports,
} from "#community/accounts";
import { blockPerson, createFriendLink } from "#community/friends";
import {
  requestToJoin,
  declineJoinRequest,
  inviteByName,
  InviteLink,
  createInviteLink,
  pinGroup,
} from "#community/groups";
import { startConversation } from "#community/conversations";
import { recordUpload } from "#community/resources";
import { openSettings } from "#community/settings";
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
import { makePersonalExport } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-export-"));
afterAll(() => rm(folder, { recursive: true }));
const storage = openFolderStorage(join(folder, "files"));
const app = { database, storage };
const accounts = () =>
  openAccounts({
    database,
    settings: openSettings(database),
    limits: new Limits(),
    now: () => clock.at,
    origin: () => "https://kith.test",
    seal: Buffer.alloc(32),
  });

const ask = (viewer: SignedIn) => within((tx) => requestExport(tx, viewer));
async function made(viewer: SignedIn) {
  const { id } = await ask(viewer);
  const it = await makePersonalExport(app, id);
  await accounts().exportReady(it!);
  return it!;
}

/** The contents of an export by file. */
async function contents(hash: string): Promise<Record<string, string>> {
  const path = join(folder, "one.zip");
  await writeFile(path, await buffer(await storage.open(hash)));
  const zip = await openZip(path);
  const read = await Promise.all(
    zip.names.map(async (name) => [name, await text(await zip.read(name))] as const),
  );
  zip.close();
  return Object.fromEntries(read);
}

/** Mira has posts, messages and uploads; Tomas has replied to her. */
async function busy() {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "secret", name: "Cellar" });
  const discussion = await createTestDiscussion(database, mira, group.id, {
    title: "Own title",
    body: "Own words",
  });
  await createTestReply(database, tomas, discussion.id, { body: "Strange words" });
  const other = await createTestDiscussion(database, tomas, group.id, {
    title: "Strange title",
    body: "Strange words",
  });
  await createTestReply(database, mira, other.id, { body: "Own answer" });
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "Own message" }));
  await within((tx) => startConversation(tx, tomas, { to: ["noor"], name: "", body: "Strange message" }));
  const stored = await storage.put(Readable.from([Buffer.from("own bytes")]), 100);
  await within((tx) =>
    recordUpload(tx, mira, { ...stored, mime: "text/plain", fileName: "../../notes & more.txt" }),
  );
  return { ...people, group };
}

describe("personal export", () => {
  test("lists invitations and links without tokens and without people who have blocked the owner", async () => {
    const { mira, tomas, noor, group } = await busy();
    await within(async (tx) => {
      await inviteByName(tx, mira, { groupId: group.id, username: "ines" });
      await inviteByName(tx, mira, { groupId: group.id, username: "noor" });
      await blockPerson(tx, noor, { personId: mira.id });
    });
    const link = await within((tx) =>
      createInviteLink(tx, tomas, InviteLink.parse({ groupId: group.id, entry: "join" })),
    );
    const friends = await within((tx) => createFriendLink(tx, mira));
    const ofMira = await contents((await made(mira)).hash);
    expect(JSON.parse(ofMira["invitations.json"]!)).toMatchObject([
      { kind: "person", group: "Cellar", username: "ines" },
      { kind: "person", group: "Cellar", username: null },
    ]);
    expect(JSON.parse(ofMira["friend-links.json"]!)).toMatchObject([{ uses: 0 }]);
    const ofTomas = await contents((await made(tomas)).hash);
    expect(JSON.parse(ofTomas["invitations.json"]!)).toMatchObject([{ kind: "link", uses: 0 }]);
    for (const token of [link.token, friends.token])
      expect(Object.values({ ...ofMira, ...ofTomas }).join()).not.toContain(token);
  });

  test("contains own texts and files only", async () => {
    const { mira } = await busy();
    const { hash } = await made(mira);
    const files = await contents(hash);
    const whole = Object.values(files).join("\n");
    for (const own of [
      "Own title",
      "Own words",
      "Own answer",
      "Own message",
      "own bytes",
      "mira@example.org",
      "Cellar",
    ])
      expect(whole, own).toContain(own);
    for (const strange of ["Strange words", "Strange message", "hash", "argon2"])
      expect(whole, strange).not.toContain(strange);
    for (const [name, it] of Object.entries(files))
      if (name.endsWith(".json")) expect(Array.isArray(JSON.parse(it)), name).toBe(true);
    expect(JSON.parse(files["posts.json"]!)).toHaveLength(2);
    const uploaded = Object.keys(files).filter((name) => name.startsWith("files/"));
    expect(uploaded).toEqual([expect.stringMatching(/^files\/[0-9a-f-]{36}\.txt$/)]);
    expect(files["index.html"]).toContain("notes &#38; more.txt");
    expect(files["index.html"]).toContain('<a href="posts.json">Your posts</a><td>2');
  });

  test("lists passkeys without key material", async () => {
    const { mira } = await busy();
    await run(
      db,
      sql`insert into passkeys (id, person_id, credential_id, name, public_key, party, added_at)
          values (gen_random_uuid(), ${mira.id}, 'own id', 'This phone', 'own key', 'kith.test', ${clock.at})`,
    );
    const files = await contents((await made(mira)).hash);
    expect(JSON.parse(files["passkeys.json"]!)).toEqual([
      { name: "This phone", madeFor: "kith.test", addedAt: expect.any(String), usedAt: null },
    ]);
  });

  test("lists pinned groups", async () => {
    const { mira, group } = await busy();
    await within((tx) => pinGroup(tx, mira, { groupId: group.id }));
    const files = await contents((await made(mira)).hash);
    expect(JSON.parse(files["groups.json"]!)).toMatchObject([{ id: group.id, pinnedAt: expect.any(String) }]);
  });

  test("states outcomes of join requests without naming the moderator", async () => {
    const people = await createTestUsers(database);
    const { noor, ada, tomas } = people;
    const group = await createTestGroup(database, people, {
      visibility: "private",
      questions: ["Why?"],
      name: "Cellar",
    });
    for (const [who, answer] of [
      [noor, "Own answer"],
      [ada, "Strange answer"],
    ] as const) {
      await within((tx) => requestToJoin(tx, who, { groupId: group.id, answers: [answer] }));
      await within((tx) =>
        declineJoinRequest(tx, tomas, { groupId: group.id, personId: who.id, reason: "Full." }),
      );
    }
    const files = await contents((await made(noor)).hash);
    const requests = files["group-requests.json"]!;
    expect(JSON.parse(requests)).toMatchObject([
      {
        id: group.id,
        name: "Cellar",
        answers: [{ question: "Why?", answer: "Own answer" }],
        outcome: "declined",
        reason: "Full.",
      },
    ]);
    for (const strange of ["Strange", "tomas", tomas.id]) expect(requests, strange).not.toContain(strange);
  });

  test("has the person's own automation data only", async () => {
    const { mira, tomas } = await busy();
    const flow = sql`(select id from automations)`;
    await run(
      db,
      sql`insert into automations (id, name, enabled, version, created_at, changed_at) values (gen_random_uuid(), 'Welcome', true, 1, now(), now())`,
    );
    await run(
      db,
      sql`insert into automation_versions (flow_id, version, definition) values (${flow}, 1, '{}')`,
    );
    for (const [who, given] of [
      [mira, { words: "Own wish" }],
      [tomas, { words: "Strange wish" }],
    ] as const)
      await run(
        db,
        sql`insert into automation_runs (id, flow_id, version, person_id, server, depth, trigger, state, position, context, created_at, ended_at)
            values (gen_random_uuid(), ${flow}, 1, ${who.id}, false, 0, 'call', 'done', '[]', ${JSON.stringify({ trigger: { data: given }, secret: "Strange answer" })}, now(), now())`,
      );
    const files = await contents((await made(mira)).hash);
    expect(JSON.parse(files["automations.json"]!)).toMatchObject([
      { automation: "Welcome", trigger: "call", given: { words: "Own wish" }, state: "done" },
    ]);
    expect(files["automations.json"]).not.toContain("Strange");
  });

  test("names no group and no person that they may no longer see", async () => {
    const { mira, tomas, group } = await busy();
    await within((tx) => setMembership(tx, group.id, mira, "left"));
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    const whole = Object.values(await contents((await made(mira)).hash)).join("\n");
    for (const gone of ["Cellar", "Strange title", "tomas"]) expect(whole, gone).not.toContain(gone);
    expect(whole).toContain("Own answer");
  });

  test("fails if a file's bytes are unreadable and succeeds once they are back", async () => {
    const { mira } = await busy();
    const { id } = await ask(mira);
    const away = { ...storage, open: () => Promise.reject(new Error("The disk is away.")) };
    await expect(makePersonalExport({ database, storage: away }, id)).rejects.toThrow("The disk is away.");
    expect(await makePersonalExport(app, id)).toMatchObject({ id });
  });

  test("runs once at a time and three times a day, each replacing the previous one", async () => {
    const { mira } = await busy();
    const { id } = await ask(mira);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "conflict" });
    expect(await getOwnExport(db, mira, clock.at)).toMatchObject({ id, readyAt: null });
    await accounts().exportReady((await makePersonalExport(app, id))!);
    expect(await makePersonalExport(app, id)).toBeNull();
    const second = await made(mira);
    await expect(getExportFile(db, mira, id, clock.at)).rejects.toMatchObject({ reason: "not-found" });
    expect(await getOwnExport(db, mira, clock.at)).toMatchObject({ id: second.id, size: second.size });
    await made(mira);
    // An expired export is deleted, and still counts against today's limit.
    await within(deleteExpiredExports);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "too-many" });
    clock.pass(86_400_001);
    // An export whose process died does not block new ones for ever.
    await ask(mira);
    clock.pass(6 * 3_600_000 + 1);
    await ask(mira);
    await expect(within((tx) => requestExport(tx, GUEST))).rejects.toMatchObject({ reason: "not-signed-in" });
  });

  test("sends a mail and is available to its owner for seven days", async () => {
    const { mira, tomas, ada } = await busy();
    const { id, hash, size } = await made(mira);
    const [mail] = await listMailbox(db, "mira@example.org");
    expect(mail!.text).toContain(`https://kith.test/users/settings/${mira.id}#data`);
    expect(await getExportFile(db, mira, id, clock.at)).toEqual({ hash, size });
    for (const viewer of [tomas, ada, GUEST])
      await expect(getExportFile(db, viewer, id, clock.at)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getExportFile(db, mira, "nonsense", clock.at)).rejects.toMatchObject({
      reason: "not-found",
    });
    expect(await within(deleteExpiredExports)).toEqual([]);
    clock.pass(7 * 86_400_000);
    await expect(getExportFile(db, mira, id, clock.at)).rejects.toMatchObject({ reason: "not-found" });
    expect(await within(deleteExpiredExports)).toEqual([hash]);
    expect(await many(db, sql`select 1 from personal_exports`)).toEqual([]);
  });

  test("the file is deleted with the account", async () => {
    const { mira } = await busy();
    const { hash } = await made(mira);
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${mira.id}`,
    );
    await within(eraseDeactivated);
    expect(await within(deleteExpiredExports)).toEqual([hash]);
    const { id } = await one(
      db,
      sql<{ id: string }>`insert into personal_exports (id, person_id, created_at, expires_at)
      values (gen_random_uuid(), ${mira.id}, now(), now() + interval '1 hour') returning id`,
    );
    expect(await makePersonalExport(app, id)).toBeNull();
  });
});
