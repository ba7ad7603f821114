import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { blockPerson } from "#community/friends";
import { GUEST, SERVER_LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  acceptConversation,
  addMessagePicture,
  addParticipants,
  getConversation,
  deleteMessage,
  editMessage,
  leaveConversation,
  getMessageFile,
  previewMessage,
  getMessagesPage,
  sendMessage,
  listSharedFiles,
  startConversation,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-message-pictures-"));
const app = { database, storage: createFolderStorage(folder) };
afterAll(() => rm(folder, { recursive: true }));

const bytes = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: "#080" } })
    .png()
    .toBuffer();
const send = (viewer: SignedIn, conversationId: string, body: string) =>
  within((tx) => sendMessage(tx, viewer, { conversationId, body }));
const sees = (viewer: Viewer, id: string) =>
  getMessageFile(db, viewer, id).then(({ mime }) => mime === "image/webp");
const refused = { reason: "not-found" };

/** A conversation of Mira, Tomas and Ines; Noor has not accepted. */
async function talk() {
  const people = await createTestUsers(database);
  const { mira, tomas, ines } = people;
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) =>
    startConversation(tx, mira, { to: ["tomas", "ines", "noor"], name: "", body: "Look." }),
  );
  for (const viewer of [tomas, ines])
    await within((tx) => acceptConversation(tx, viewer, { conversationId: id }));
  const picture = await addMessagePicture(app, mira, id, await bytes());
  return { ...people, id, picture };
}

/** Leaves a person this many bytes of their quota. */
const left = (viewer: SignedIn, remaining: number, table: "uploads" | "partial_uploads") => {
  const size = SERVER_LIMITS.quotaBytes - remaining;
  return run(
    db,
    table === "uploads"
      ? sql`insert into uploads (id, owner_id, hash, size, mime, created_at)
        values (gen_random_uuid(), ${viewer.id}, 'x', ${size}, 'text/plain', now())`
      : sql`insert into partial_uploads (id, owner_id, size, file_name, created_at)
        values (gen_random_uuid(), ${viewer.id}, ${size}, 'a.txt', now())`,
  );
};

describe("picture in a message", () => {
  test.each(["uploads", "partial_uploads"] as const)("counts toward the owner's quota: %s", async (table) => {
    const { tomas, ines, id } = await talk();
    await left(tomas, 20, table);
    await left(ines, 20_000, table);
    await expect(addMessagePicture(app, tomas, id, await bytes())).rejects.toMatchObject({
      reason: "too-large",
    });
    expect(
      await one(
        db,
        sql`select count(*)::int as kept from uploads where owner_id = ${tomas.id} and mime = 'image/webp'`,
      ),
    ).toEqual({
      kept: 0,
    });
    await addMessagePicture(app, ines, id, await bytes());
  });

  test("counts toward the quota even if two pictures are uploaded at the same time", async () => {
    const { tomas, id } = await talk();
    const [first, second] = await Promise.all(
      ["#800", "#008"].map((background) =>
        sharp({ create: { width: 40, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const { size } = await one(db, sql<{ size: number }>`select max(size)::int as size from uploads`);
    await left(tomas, Math.round(size * 1.5), "uploads");
    const results = await Promise.allSettled(
      [first!, second!].map((it) => addMessagePicture(app, tomas, id, it)),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("must be the only picture if the sender is a newcomer", async () => {
    const { mira, id, picture } = await talk();
    const second = await addMessagePicture(app, mira, id, await bytes());
    const both = `![one](${picture.address}) ![two](${second.address})`;
    const newcomer = { ...mira, trust: "new" as const };
    await expect(send(newcomer, id, both)).rejects.toMatchObject({
      reason: "invalid",
      fields: { body: expect.stringContaining("one") },
    });
    await send(mira, id, both);
  });

  test("can be opened only by readers of the message, and only after it is sent", async () => {
    const { mira, tomas, noor, ada, guest, id, picture } = await talk();
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    await send(mira, id, `The bed: ![green](${picture.address})`);
    expect([await sees(mira, picture.id), await sees(tomas, picture.id)]).toEqual([true, true]);
    const { messages } = await getMessagesPage(db, tomas, await getConversation(db, tomas, id));
    expect(messages.at(-1)!.html).toContain(
      `<img src="${picture.address}" alt="green" width="40" height="20"`,
    );
    // A pending participant, an outsider and a guest.
    for (const viewer of [noor, ada, guest])
      await expect(sees(viewer, picture.id)).rejects.toMatchObject(refused);
    await expect(sees(tomas, "no id")).rejects.toMatchObject(refused);
  });

  test("stays hidden from later participants, people who left and blocked people", async () => {
    const { mira, tomas, ines, ada, id, picture } = await talk();
    await send(mira, id, `![green](${picture.address})`);
    await within((tx) => addParticipants(tx, mira, { conversationId: id, to: ["ada"] }));
    await within((tx) => acceptConversation(tx, ada, { conversationId: id }));
    await within((tx) => leaveConversation(tx, ines, { conversationId: id }));
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    for (const viewer of [ada, ines, tomas])
      await expect(sees(viewer, picture.id)).rejects.toMatchObject(refused);
  });

  test("disappears when the message is edited or withdrawn", async () => {
    const { mira, tomas, id, picture } = await talk();
    const { id: messageId } = await send(mira, id, `![green](${picture.address})`);
    await within((tx) => editMessage(tx, mira, { messageId, body: "Nothing to see." }));
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    await within((tx) => editMessage(tx, mira, { messageId, body: `Again ![green](${picture.address})` }));
    expect(await sees(tomas, picture.id)).toBe(true);
    await within((tx) => deleteMessage(tx, mira, { messageId }));
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    expect(await one(db, sql`select attached_kind from uploads where id = ${picture.id}`)).toEqual({
      attached_kind: null,
    });
  });

  test("must be uploaded by the sender, in a conversation the sender may write in", async () => {
    const { mira, tomas, noor, ada, id, picture } = await talk();
    await send(tomas, id, `![hers](${picture.address})`);
    const { messages } = await getMessagesPage(db, mira, await getConversation(db, mira, id));
    expect(messages.at(-1)!.html).not.toContain("<img");
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    await expect(addMessagePicture(app, ada, id, await bytes())).rejects.toMatchObject(refused);
    const two = await within((tx) => startConversation(tx, mira, { to: ["noor"], name: "", body: "You?" }));
    await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
    await expect(addMessagePicture(app, mira, two.id, await bytes())).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(addMessagePicture(app, mira, id, Buffer.from("no picture"))).rejects.toMatchObject({
      reason: "wrong-type",
    });
  });
});

describe("file in a message", () => {
  /** A stored, unused file of a person. */
  async function fileOf({ id: owner }: SignedIn, state = "ok") {
    const id = randomUUID();
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, file_name, state, created_at)
          values (${id}, ${owner}, ${"a".repeat(64)}, 2000, 'application/pdf', 'plan.pdf', ${state}, now())`,
    );
    return { id, link: `[plan.pdf](/files/${id})` };
  }
  const opens = (viewer: Viewer, id: string) =>
    getMessageFile(db, viewer, id).then(({ fileName }) => fileName);
  const along = async (viewer: SignedIn, conversationId: string, what: "pictures" | "files") =>
    (await listSharedFiles(db, viewer, await getConversation(db, viewer, conversationId), { what })).rows;

  test("can be opened only by readers of the message, and only after its scan", async () => {
    const { mira, tomas, noor, ada, guest, id } = await talk();
    const [plan, unseen] = [await fileOf(mira), await fileOf(mira, "scanning")];
    await expect(opens(tomas, plan.id)).rejects.toMatchObject(refused);
    await send(mira, id, `Here: ${plan.link} and ${unseen.link}`);
    expect(await opens(tomas, plan.id)).toBe("plan.pdf");
    for (const viewer of [noor, ada, guest])
      await expect(opens(viewer, plan.id)).rejects.toMatchObject(refused);
    await expect(opens(tomas, unseen.id)).rejects.toMatchObject(refused);
  });

  test("cannot be sent by newcomers, and at most ten fit in a message", async () => {
    const { mira, tomas, id } = await talk();
    const plan = await fileOf(mira);
    await expect(send({ ...mira, trust: "new" }, id, plan.link)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    const many = await Promise.all(Array.from({ length: 11 }, () => fileOf(mira)));
    await expect(send(mira, id, many.map(({ link }) => link).join(" "))).rejects.toMatchObject({
      reason: "invalid",
    });
    await send(tomas, id, plan.link);
    await expect(opens(tomas, plan.id)).rejects.toMatchObject(refused);
  });

  test("appears in the list of shared files, newest first, to people who can read the message", async () => {
    const { mira, tomas, noor, ada, id, picture } = await talk();
    const [first, second] = [await fileOf(mira), await fileOf(mira)];
    await send(mira, id, `![green](${picture.address}) ${first.link}`);
    const { id: messageId } = await send(mira, id, second.link);
    expect((await along(tomas, id, "files")).map((it) => [it.id, it.fileName, it.mine])).toEqual([
      [second.id, "plan.pdf", false],
      [first.id, "plan.pdf", false],
    ]);
    expect((await along(tomas, id, "pictures")).map((it) => [it.id, it.width])).toEqual([[picture.id, 40]]);
    await expect(along(ada, id, "files")).rejects.toMatchObject(refused);
    expect(await along(noor, id, "files")).toEqual([]);
    await within((tx) => deleteMessage(tx, mira, { messageId }));
    expect((await along(tomas, id, "files")).map((it) => it.id)).toEqual([first.id]);
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect(await along(tomas, id, "files")).toEqual([]);
  });
});

test("a message preview shows the writer's own pictures and stores nothing", async () => {
  const { mira, ada, noor } = await createTestUsers(database);
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) => startConversation(tx, mira, { to: ["ada"], name: "", body: "Hello." }));
  const look = (viewer: Viewer, body: string) => previewMessage(db, viewer, { conversationId: id, body });
  const picture = await addMessagePicture(app, mira, id, await bytes());
  const body = `**Beans** ![a bed](/files/${picture.id})`;
  expect((await look(mira, body)).html).toMatch(/<strong>Beans<\/strong>.*<img/s);
  expect((await look(ada, body)).html).not.toContain("<img");
  expect((await getMessagesPage(db, mira, await getConversation(db, mira, id))).messages).toHaveLength(1);
  await expect(look(noor, body)).rejects.toMatchObject(refused);
  await expect(look(GUEST, body)).rejects.toMatchObject({ reason: "not-signed-in" });
  await within((tx) => blockPerson(tx, ada, { personId: mira.id }));
  await expect(look(mira, body)).rejects.toMatchObject({ reason: "not-allowed" });
});
