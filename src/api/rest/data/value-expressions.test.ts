import { describe, expect, test } from "vitest";
import {
  orderStore,
  personStore,
  sdk,
  readStoredRows,
  wholePerson,
} from "../../../../test/support/rest/data-api.ts";

const worked = (text: string) => new sdk.Expression(text);

describe("expressions for a new object", () => {
  test("refer to other given values; missing values are null", async () => {
    const saved = await personStore().save({
      age: 30,
      name: worked("concat('Joe, ', age + 1)"),
      code: worked("concat(name, '!')"),
      born: worked("created"),
    });
    const expected = { age: 30, name: "Joe, 31", born: expect.any(Number), objectId: expect.any(String) };
    expect(saved).toEqual(wholePerson(expected));
    expect(await readStoredRows("Person")).toMatchObject([
      { age: 30, name: "Joe, 31", code: null, active: true },
    ]);
    expect(await personStore().save({ objectId: "one", age: worked("2 * 3") }, true)).toMatchObject({
      objectId: "one",
      age: 6,
    });
    expect(await personStore().save({ objectId: "one", age: worked("age + 1") }, true)).toMatchObject({
      objectId: "one",
      age: 7,
    });
  });

  test("work in bulk creates and transactions too", async () => {
    const deep = { name: worked("'Ann'"), orders: [{ title: worked("concat('A', 'B')") }] };
    expect(await personStore().deepSave(deep)).toMatchObject({ name: "Ann", orders: [{ title: "AB" }] });
    const plan = new sdk.UnitOfWork();
    plan.create("Person", { name: worked("concat('C', 'ay')") } as never);
    expect(await plan.execute()).toMatchObject({ success: true, results: expect.anything() });
    expect((await readStoredRows("Person")).map((it) => it["name"]).sort()).toEqual(["Ann", "Cay"]);
  });

  test("must satisfy required columns and column types", async () => {
    await expect(orderStore().save({ title: worked("ownerId") })).rejects.toMatchObject({
      code: 1020,
      body: { errorData: { propeties: ["title"] } },
    });
    await expect(orderStore().save({ title: worked("concat(") })).rejects.toMatchObject({ code: 1017 });
    await expect(personStore().save({ age: worked("'old'") })).rejects.toMatchObject({ status: 400 });
    await expect(personStore().save({ age: worked("2147483647 * 3") })).rejects.toMatchObject({ code: 1023 });
    expect(await readStoredRows("Order")).toEqual([]);
  });

  test("get refused in bulk creates", async () => {
    const many = [{ title: "a" }, { title: worked("'b'") }];
    await expect(orderStore().bulkCreate(many)).rejects.toMatchObject({ code: 1023 });
    await expect(orderStore().bulkUpsert(many)).rejects.toMatchObject({ code: 1023 });
    const plan = new sdk.UnitOfWork();
    plan.bulkCreate("Order", many);
    expect(await plan.execute()).toMatchObject({ success: false });
    expect(await readStoredRows("Order")).toEqual([]);
  });
});
