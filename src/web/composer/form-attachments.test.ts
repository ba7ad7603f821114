import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { acceptConversation, NewMessage, sendMessage, startConversation } from "#community/conversations";
import { NewReply, draftTargets, reply } from "#community/discussions";
import { openSettings } from "#community/settings";
import { many, run, sql } from "#platform/database";
import { Limits } from "#platform/limits";
import { createFolderStorage } from "#platform/storage";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { parseForm } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import { attachPicture, attachFile } from "./form-attachments.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-taking-"));
afterAll(() => rm(folder, { recursive: true }));
const anew = () =>
  ({
    database,
    db,
    storage: createFolderStorage(folder),
    scanner: null,
    settings: openSettings(database),
    limits: new Limits(),
  }) as unknown as WebContext;

const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: "#080" } })
  .png()
  .toBuffer();
const picture = () => new File([bytes], "beans.png", { type: "image/png" });
const text = () => new File(["Beans, 3"], "How many?.txt", { type: "text/plain" });

/** A form as browsers send it, the same each time. */
function formOf(file: File, words: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ body: "Look.", pictureWords: "Beans", ...words }))
    form.set(name, value);
  form.set("picture", file);
  return form;
}
const uploads = async () => (await many(db, sql`select from uploads`)).length;

describe("form sent again without scripts, as after a lost response", () => {
  const answering =
    (app: WebContext, { tomas }: TestUsers, discussionId: string) =>
    async (clientId: string, file: () => File) => {
      const form = formOf(file(), { discussionId, clientId });
      await attachPicture(app, tomas, draftTargets.discussion(discussionId), form);
      return within((tx) => reply(tx, tomas, parseForm(NewReply, form)));
    };
  const messageSender =
    (app: WebContext, { mira }: TestUsers, conversationId: string) =>
    async (clientId: string, file: () => File) => {
      const form = formOf(file(), { conversationId, clientId });
      await attachFile(app, mira, conversationId, draftTargets.conversation(conversationId), form);
      return within((tx) => sendMessage(tx, mira, parseForm(NewMessage, form)));
    };

  test("stores a reply and its picture only once, in sequence or concurrently", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const send = answering(anew(), people, (await createTestDiscussion(database, people.mira, group.id)).id);
    const clientId = randomUUID();
    const [first, beside] = await Promise.all([send(clientId, picture), send(clientId, picture)]);
    expect([first.id, await uploads()]).toEqual([beside.id, 1]);
    expect([(await send(clientId, picture)).id, await uploads()]).toEqual([first.id, 1]);
    expect([(await send(randomUUID(), picture)).id === first.id, await uploads()]).toEqual([false, 2]);
  });

  test.each([
    ["picture", picture],
    ["file", text],
  ])("stores a message and its %s only once", async (_what, file) => {
    const people = await createTestUsers(database);
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const { id } = await within((tx) =>
      startConversation(tx, people.mira, { to: ["tomas"], name: "", body: "Look." }),
    );
    await within((tx) => acceptConversation(tx, people.tomas, { conversationId: id }));
    const send = messageSender(anew(), people, id);
    const clientId = randomUUID();
    const [first, beside] = await Promise.all([send(clientId, file), send(clientId, file)]);
    expect([first.id, await uploads()]).toEqual([beside.id, 1]);
    expect([(await send(clientId, file)).id, await uploads()]).toEqual([first.id, 1]);
  });
});
