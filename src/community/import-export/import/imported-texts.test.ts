import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  postRecord,
  sampleArchive,
  archiveText,
  createImportSetup,
} from "../../../../test/support/import-export/sample-archive.ts";
import { runImport, createImportReport } from "../index.ts";

const database = await testDatabase();
const { db } = database;
const { transfer, write } = createImportSetup(database);

const png = (width: number) =>
  sharp({ create: { width, height: 10, channels: 3, background: "red" } })
    .png()
    .toBuffer();
const picture = (more: object = {}) => ({
  type: "file",
  id: "pic",
  path: "files/pic.png",
  as: "picture",
  owner: "plato",
  ...more,
});
const post = (more: object) => ({
  ...postRecord(4),
  author: "plato",
  body: "Look: ![A grain](/files/pic)",
  files: ["pic"],
  ...more,
});

async function importRecords(
  records: object[],
  { scanner, width = 30 }: { scanner?: object; width?: number } = {},
) {
  const t = { ...(await transfer()), ...(scanner && { scanner: scanner as never }) };
  const files = {
    "files/heap.txt": "grains",
    "files/pic.png": await png(width),
    "files/odd.png": "no picture",
  };
  const path = await write({ "community.ndjson": archiveText(...sampleArchive(), ...records), ...files });
  const importRun = await runImport(t, { format: "ndjson", path, check: false, by: null });
  return { t, path, importRun, report: await createImportReport(db, importRun) };
}

const shown = () =>
  one(
    db,
    sql<{
      md: string;
      html: string;
      id: string;
    }>`select id, body_md as md, body_html as html from posts where number = 4 and discussion_id is not null`,
  );
const uploads = () =>
  many(
    db,
    sql<{ id: string; kind: string | null; of: string | null; width: number; mime: string; state: string }>`
      select id, attached_kind as kind, attached_id as of, width, mime, state from uploads
      where file_name <> 'heap.txt' order by id`,
  );

describe("a picture in an imported post", () => {
  test("gets re-encoded, has a local address and belongs to the post", async () => {
    await importRecords([picture(), post({ body: "![A grain](/files/pic) but /files/pic2" })], {
      width: 3_000,
    });
    const [{ html, md, id }, [upload]] = [await shown(), await uploads()];
    expect(upload).toMatchObject({ kind: "post", of: id, width: 2_000, mime: "image/webp" });
    expect(md).toBe(`![A grain](/files/${upload!.id}) but /files/pic2`);
    expect(html).toContain(`<img src="/files/${upload!.id}" alt="A grain" width="2000"`);
  });

  test("belongs only to the first post of its author that refers to it", async () => {
    const { report } = await importRecords([
      picture(),
      post({}),
      { ...post({}), id: "p5", body: "Again: ![It](/files/pic)" },
    ]);
    expect((await uploads()).map(({ of }) => of)).toEqual([(await shown()).id]);
    expect(report).toContain(
      "Its file pic does not precede it, or belongs to another author: imported without it.",
    );
    const { html } = await one(
      db,
      sql<{
        html: string;
      }>`select body_html as html from posts where number = 5 and discussion_id is not null`,
    );
    expect(html).toBe("<p>Again: It</p>\n");
  });

  test("gets left out if it belongs to another author or is no picture", async () => {
    const odd = picture({ id: "odd", path: "files/odd.png" });
    const { importRun, report } = await importRecords([
      picture({ owner: "zeno" }),
      odd,
      post({ files: ["pic", "odd"] }),
    ]);
    expect([importRun.state, (await uploads()).map(({ kind }) => kind)]).toEqual(["done", [null]]);
    expect((await shown()).html).toBe("<p>Look: A grain</p>\n");
    expect(report).toContain("Its file odd does not precede it");
  });
});

test("a mention becomes a link if the archive names the person, and stays text otherwise", async () => {
  await importRecords([
    post({
      body: "Ask @Zeno, or @plato, or @nobody.",
      files: [],
      mentions: [
        { name: "Zeno", user: "zeno" },
        { name: "nobody", user: "no" },
      ],
    }),
  ]);
  const zeno = await one(db, sql<{ id: string }>`select id from people where display_name = 'zeno'`);
  const { html, id } = await shown();
  expect(html).toBe(`<p>Ask <a href="/users/${zeno.id}">@Zeno</a>, or @plato, or @nobody.</p>\n`);
  expect(await many(db, sql`select person_id as id from post_mentions where post_id = ${id}`)).toEqual([
    zeno,
  ]);
});

test("footnotes of two posts on one page stay separate", async () => {
  const footnote = { body: "A heap.[^1]\n\n[^1]: Of sand.", files: [] };
  await importRecords([post(footnote), { ...post(footnote), id: "p5" }]);
  const rows = await many(
    db,
    sql<{ html: string }>`select body_html as html from posts where number > 3 and discussion_id is not null`,
  );
  const anchors = rows.flatMap(({ html }) => [...html.matchAll(/ id="(fn-[^"]+)"/g)].map(([, id]) => id));
  expect([anchors.length, new Set(anchors).size]).toEqual([2, 2]);
});

test("files wait for a virus scan if a scanner is configured; re-encoded pictures do not", async () => {
  await importRecords([picture(), post({})], { scanner: {} });
  const states = await many(
    db,
    sql<{ name: string; state: string }>`select file_name as name, state from uploads order by 1`,
  );
  expect(states).toEqual([
    { name: "", state: "ok" },
    { name: "heap.txt", state: "scanning" },
  ]);
  expect(
    await many(
      db,
      sql`select task_identifier as task from graphile_worker.jobs where task_identifier = 'scan-file'`,
    ),
  ).toHaveLength(1);
});
