import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openSettings } from "#community/settings";
import { getStorageQuota } from "#community/common";
import { storeUpload } from "#community/uploads";
import { many, run, sql } from "#platform/database";
import { Limits } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import { createFolderStorage } from "#platform/storage";
import { createTestUsers, type TestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import type { WebContext } from "../../web-context.ts";
import { receiveResourceFiles } from "./receive-resource-files.ts";

const database = await testDatabase();
const { db } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-sent-"));
const app = {
  database,
  db,
  storage: createFolderStorage(folder),
  scanner: null,
  settings: openSettings(database),
  limits: new Limits(),
} as unknown as WebContext;
let people: TestUsers;

beforeEach(async () => {
  people = await createTestUsers(database);
  app.limits = new Limits();
});
afterAll(() => rm(folder, { recursive: true }));

const part = (name: string, words: string) =>
  `--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ` +
  `text/plain\r\n\r\n${words}\r\n`;
/** A form whose body arrives in pieces; an error among them breaks the connection. */
const sent = (...pieces: (string | Error)[]) => {
  const body = new ReadableStream({
    pull(line) {
      const piece = pieces.shift();
      if (piece === undefined) line.close();
      else if (piece instanceof Error) line.error(piece);
      else line.enqueue(Buffer.from(piece));
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=edge" };
  return receiveResourceFiles(
    app,
    people.mira,
    new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as RequestInit),
  );
};
const listStored = () => many(db, sql`select file_name as name from uploads order by file_name`);
const listIncoming = () => readdir(join(folder, "incoming")).catch(() => []);

describe("files of a form sent without scripts", () => {
  test("get stored one by one", async () => {
    const form = await sent(part("a.txt", "seeds"), part("b.txt", "weeds"), "--edge--\r\n");
    expect(form.getAll("uploadId[]")).toHaveLength(2);
    expect(await listStored()).toEqual([{ name: "a.txt" }, { name: "b.txt" }]);
  });

  test.each([
    ["is cut off", new Error("the line broke"), "invalid"],
    ["exceeds the limit", new Refusal("too-large", "That is more than fits here."), "too-large"],
  ])("leave nothing behind if the form %s", async (_how, fault, reason) => {
    const whole = part("a.txt", "seeds");
    const half = part("b.txt", "w".repeat(100_000)).slice(0, 50_000);
    await expect(sent(whole, half, fault)).rejects.toMatchObject({ reason });
    expect([await listIncoming(), await listStored()]).toEqual([[], []]);
    expect(await readdir(folder)).toContain("incoming");
  });
});

test("a file over the size limit is refused after its last byte and leaves nothing behind", async () => {
  const megabyte = "w".repeat(1_048_576);
  const big = Array.from({ length: 27 }, () => megabyte);
  const head = part("big.txt", "").slice(0, -2);
  await expect(sent(part("a.txt", "seeds"), head, ...big, "\r\n--edge--\r\n")).rejects.toMatchObject({
    reason: "too-large",
  });
  expect([await listIncoming(), await listStored()]).toEqual([[], []]);
});

test("a file is not stored if another file has used up the quota meanwhile", async () => {
  const { most } = await getStorageQuota(db, people.mira);
  await run(
    db,
    sql`insert into uploads (id, owner_id, hash, size, mime, created_at)
      values (gen_random_uuid(), ${people.mira.id}, 'x', ${most - 10}, 'text/plain', now())`,
  );
  const slow = new PassThrough();
  const first = storeUpload(app, people.mira, "slow.txt", slow);
  slow.write("seeds!");
  await expect.poll(listIncoming).toHaveLength(1);
  await storeUpload(app, people.mira, "fast.txt", new PassThrough().end("weeds!"));
  slow.end();
  await expect(first).rejects.toMatchObject({ reason: "too-large" });
  expect((await getStorageQuota(db, people.mira)).used).toBeLessThanOrEqual(most);
});
