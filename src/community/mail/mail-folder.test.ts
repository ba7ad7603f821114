import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { processMailFolder } from "./mail-folder.ts";
import { app, createRawMail, listPosts } from "../../../test/support/mail/inbound-setup.ts";

describe("mail folder", () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((it) => rm(it, { recursive: true }))));
  const folder = async (files: Record<string, Buffer | string>) => {
    const path = await mkdtemp(join(tmpdir(), "kith-mail-in-"));
    folders.push(path);
    for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
    return path;
  };

  test("gets emptied, except for unfinished files and other files", async () => {
    const envelope = "From a@b Mon May  4 09:00:00 2026\n";
    const first = createRawMail("One.\n>From here on.", { id: "<1@x>" }).toString();
    const second = createRawMail("Two.", { id: "<2@x>" }).toString();
    const mbox = `${envelope}${first}\n\n${envelope}${second}\n`;
    const path = await folder({
      "a.mbox": mbox,
      "b.eml": createRawMail("Three.", { id: "<3@x>" }),
      "c.eml.tmp": "half",
      "notes.txt": "x",
    });
    expect(await processMailFolder(app, path)).toBe(3);
    expect((await listPosts()).map(({ body }) => body)).toEqual(["One.\nFrom here on.", "Two.", "Three."]);
    expect((await readdir(path)).toSorted()).toEqual(["c.eml.tmp", "notes.txt"]);
    expect(await processMailFolder(app, path)).toBe(0);
  });

  test("may contain mail with text lines that begin with From", async () => {
    const body =
      "Two roads lead there.\nFrom the market square it is ten minutes.\nFrom the station it is five.";
    const envelope = "From mira@example.org Thu Nov 26 10:00:00 2026\n";
    const one = createRawMail(body, { id: "<1@x>" }).toString().replaceAll("\r\n", "\n");
    const two = createRawMail(body, { id: "<2@x>" }).toString().replaceAll("\r\n", "\n");
    const path = await folder({
      "a.eml": envelope + one,
      "b.mbox": `${envelope}${two}\n${envelope}${one.replace("<1@x>", "<3@x>")}`,
    });
    expect(await processMailFolder(app, path)).toBe(3);
    expect((await listPosts()).map((it) => it.body)).toEqual([body, body, body]);
  });

  test("keeps its mail while the database is down", async () => {
    const path = await folder({
      "a.eml": createRawMail("One."),
      "b.eml": createRawMail("Two.", { id: "<2@x>" }),
    });
    const away = Object.assign(new Error("terminating connection"), { code: "57P01" });
    const broken = { ...app, database: { inTransaction: () => Promise.reject(away) } };
    await expect(processMailFolder(broken, path)).rejects.toBe(away);
    expect((await readdir(path)).toSorted()).toEqual(["a.eml", "b.eml"]);
    expect(await processMailFolder(app, path)).toBe(2);
  });

  test("can be read by two processes at once", async () => {
    const files = Array.from({ length: 20 }, (_, n) => [
      `${n}.eml`,
      createRawMail(`No. ${n}`, { id: `<${n}@x>` }),
    ]);
    const path = await folder(Object.fromEntries(files));
    await Promise.all([processMailFolder(app, path), processMailFolder(app, path)]);
    expect(await readdir(path)).toEqual([]);
    expect(await listPosts()).toHaveLength(20);
  });

  test("may be missing", async () => {
    expect(await processMailFolder(app, join(tmpdir(), "kith-no-such-folder"))).toBe(0);
  });

  test("moves unreadable files aside", async () => {
    const path = await folder({ "a.eml": createRawMail("One.") });
    const broken = { ...app, database: { inTransaction: () => Promise.reject(new Error("not today")) } };
    expect(await processMailFolder(broken, path)).toBe(0);
    expect(await readdir(path)).toEqual(["a.eml.failed"]);
  });
});
