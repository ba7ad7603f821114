import { beforeEach, describe, expect, test } from "vitest";
import { addRelation, createTable, findOne } from "#baas/data";
import type { Row } from "../../../../test/support/rest/data-rows.ts";
import {
  testApi,
  personStore,
  sdk,
  readStoredRows,
  readRecordEvents,
} from "../../../../test/support/rest/data-api.ts";

const MILLION = "x".repeat(1_000_000);
const books = () => sdk.Data.of("Book");
const builder = () => sdk.DataQueryBuilder.create();
const ids = Array.from({ length: 24 }, (_, at) => `b${at}`);
const TOO_MUCH = { code: 1021 };

beforeEach(async () => {
  await createTable(testApi.app.tables, {
    name: "Book",
    columns: [
      { name: "text", dataType: "TEXT" },
      { name: "about", dataType: "JSON" },
      { name: "title", dataType: "STRING", required: true },
      { name: "short", dataType: "STRING", dataSize: 5 },
      { name: "pages", dataType: "INT" },
      ...["a", "b", "c"].map((name) => ({ name, dataType: "TEXT" as const })),
    ],
  });
  await addRelation(testApi.app.tables, "Book", {
    name: "next",
    toTable: "Book",
    relationshipType: "ONE_TO_MANY",
  });
});

describe("stored value", () => {
  const one = (values: Row) => books().bulkCreate([{ title: "t", ...values }]);

  test("has at most a million characters in any encoding", async () => {
    await one({ objectId: "whole", text: MILLION, about: { it: "x".repeat(999_000) } });
    await expect(one({ text: `${MILLION}x` })).rejects.toMatchObject(TOO_MUCH);
    await expect(one({ about: { it: MILLION } })).rejects.toMatchObject(TOO_MUCH);
    await expect(one({ about: Array.from({ length: 10_000 }, () => 1e300) })).rejects.toMatchObject(TOO_MUCH);
    expect(await books().getObjectCount()).toBe(1);
  });

  test("cannot exceed the maximum length or the size of its column, even when computed", async () => {
    await one({ objectId: "whole", text: MILLION.slice(0, 500_000) });
    const text = new sdk.Expression("concat(text, text)");
    await books().save({ objectId: "whole", text });
    await expect(books().save({ objectId: "whole", text })).rejects.toMatchObject(TOO_MUCH);
    await expect(books().bulkUpdate("objectId = 'whole'", { text })).rejects.toMatchObject(TOO_MUCH);
    const short = (expression: string) =>
      books().save({ objectId: "whole", short: new sdk.Expression(expression) });
    await expect(short("concat(title, 'itle long')")).rejects.toMatchObject(TOO_MUCH);
    expect(await short("concat(title, 'itle')")).toMatchObject({ short: "title" });
  });

  test("cannot be null in a required column, even when computed", async () => {
    await one({ objectId: "whole" });
    const needed = { code: 1020, body: { errorData: { propeties: ["title"] } } };
    await expect(
      books().save({ objectId: "whole", title: new sdk.Expression("text") }),
    ).rejects.toMatchObject(needed);
    expect(
      await books().save({ objectId: "whole", title: new sdk.Expression("concat(title, '2')") }),
    ).toMatchObject({ title: "t2" });
  });

  test("cannot exceed the size limit of its record", async () => {
    const wide = sdk.Data.of("Wide");
    const columns = Array.from({ length: 8 }, (_, at) => ({ name: `c${at}`, dataType: "TEXT" as const }));
    await createTable(testApi.app.tables, { name: "Wide", columns });
    const long = "\u{1f331}".repeat(240_000);
    const saved = (await wide.save({ c0: long })) as Row;
    const id = { objectId: saved["objectId"] };
    for (const { name } of columns.slice(1))
      await wide.save({ ...id, [name]: new sdk.Expression("concat(c0, c0, c0, c0)") }).catch(() => {});
    const stood = columns
      .slice(1)
      .map(({ name }) =>
        wide.findById(id.objectId as string, builder().setProperties([`length(${name}) as n`])),
      );
    const lengths = (await Promise.all(stood)).map((it) => (it as Row)["n"]);
    expect(lengths).toEqual([960_000, 960_000, 960_000, 960_000, null, null, null]);
  });
});

describe("answer size limit", () => {
  beforeEach(async () => {
    for (const part of [ids.slice(0, 12), ids.slice(12)])
      await books().bulkCreate(
        part.map((objectId, at) => ({ objectId, title: objectId, text: MILLION, pages: at })),
      );
  });

  const few = () => builder().setPageSize(10).setSortBy("objectId");
  const all = () => builder().setPageSize(24);
  test.each<[string, () => Promise<unknown>]>([
    ["whole records", () => books().find(all())],
    ["selected properties", () => books().find(all().setProperties(["title", "text"]))],
    [
      "one property under many names",
      () =>
        books().findById(
          "b1",
          builder().setProperties(Array.from({ length: 30 }, (_, n) => `text as n${n}`)),
        ),
    ],
    [
      "a concatenated value",
      () => books().findById("b1", builder().setProperties(["concat(concat(text, text), text) as long"])),
    ],
    ["distinct rows", () => books().find(all().setProperties(["text", "title"]).setDistinct(true))],
    [
      "aggregates of groups",
      () => books().find(all().setProperties(["max(text) as most", "title"]).setGroupBy("title")),
    ],
    [
      "nested groups",
      () =>
        books().group(
          sdk.GroupQueryBuilder.create()
            .setGroupBy("pages")
            .setRecordsPageSize(10)
            .setGroupPageSize(24)
            .setPageSize(24),
        ),
    ],
  ])("refuses an answer that is too large: %s", async (_what, ask) => {
    await expect(ask()).rejects.toMatchObject(TOO_MUCH);
    expect(await personStore().getObjectCount()).toBe(0);
  });

  test("allows everything up to the limit, in order", async () => {
    const order = [...ids].sort();
    expect((await books().find(few())).map((it) => (it as Row)["objectId"])).toEqual(order.slice(0, 10));
    const named = await books().find(few().setProperties(["title", "length(text) as n"]).setPageSize(24));
    expect(named.map((it) => (it as Row)["n"])).toEqual(ids.map(() => 1_000_000));
    const related = few().setProperties(["text", "title"]).setRelated(["next"]);
    await books().setRelation("b0", "next", ["b1", "b2"]);
    const [first] = await books().find<Row & { next: Row[] }>(related);
    expect(first!.next.map(({ text }) => String(text).length)).toEqual([1_000_000, 1_000_000]);
  });

  test("counts related records each time they appear", async () => {
    await books().setRelation("b0", "next", ids);
    const related = builder().setRelated(["next"]).setRelationsPageSize(24);
    await expect(books().findById("b0", related)).rejects.toMatchObject(TOO_MUCH);
    for (const id of ids) await books().setRelation(id, "next", ["b1"]);
    const one = builder().setRelated(["next"]).setProperties(["title"]).setPageSize(24);
    await expect(books().find(one)).rejects.toMatchObject(TOO_MUCH);
  });

  test("applies to linked records in the answer to a deep save", async () => {
    const deep = { title: "all", next: ids.map((objectId) => ({ objectId })) };
    await expect(books().deepSave(deep)).rejects.toMatchObject(TOO_MUCH);
    expect(await books().deepSave({ ...deep, next: deep.next.slice(0, 5) })).toMatchObject({ title: "all" });
  });

  test("applies to each concurrent request separately", async () => {
    const { tables } = testApi.app;
    const table = await tables.catalogue.table("Book");
    const found = await Promise.all(
      ids.map((id) => findOne(tables, { userId: null, roles: [], server: true }, table, id)),
    );
    expect(found.map((it) => it["title"])).toEqual(ids);
  });
});

test("related records are counted each time they appear in the answer", async () => {
  const loops = ids.map((objectId) => ({ objectId, title: objectId }));
  await books().bulkCreate(loops);
  for (const id of ids) await books().setRelation(id, "next", ids);
  const deep = (depth: number) =>
    books().find(builder().setPageSize(24).setRelationsDepth(depth).setRelationsPageSize(24));
  expect(await deep(2)).toHaveLength(24);
  await expect(deep(4)).rejects.toMatchObject({
    code: 1017,
    message: expect.stringContaining("20000 related records"),
  });
});

describe("bulk delete by a list of objects", () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, n) => `018f0000-0000-7000-8000-${String(n).padStart(12, "0")}`);

  test("accepts as many objects as a bulk create", async () => {
    const all = list(2_000);
    await personStore().bulkCreate(all.map((objectId) => ({ objectId })));
    await personStore().bulkCreate([{ objectId: "it's" }, { objectId: "other" }]);
    const before = (await readRecordEvents()).length;
    expect(await personStore().bulkDelete([...all, "it''s"] as never)).toBe(2_001);
    expect((await readStoredRows("Person")).map(({ objectId }) => objectId)).toEqual(["other"]);
    expect((await readRecordEvents()).slice(before)).toMatchObject([
      { type: "records.deleted", count: 2_001 },
    ]);
    expect(await personStore().bulkDelete(list(10_000) as never)).toBe(0);
  });

  test.each<[string, string[], number]>([
    ["more objects than the limit", list(10_001), 1021],
    ["a long list that is invalid", [...list(1_500), "x') or ('1'='1"], 1017],
  ])("refuses the list: %s", async (_what, objectIds, code) => {
    await personStore().bulkCreate([{ objectId: "one" }]);
    await expect(personStore().bulkDelete(objectIds as never)).rejects.toMatchObject({ code });
    expect(await readStoredRows("Person")).toHaveLength(1);
  });
});

test("query may request at most as many properties as a record can have", async () => {
  const many = (count: number) =>
    books().find(builder().setProperties(Array.from({ length: count }, (_, n) => `pages as n${n}`)));
  expect(await many(300)).toEqual([]);
  await expect(many(301)).rejects.toMatchObject({ code: 1017 });
});
