import { describe, expect, test } from "vitest";
import { orders, people, sdk, standing, whole } from "./data-door.fixture.ts";

const worked = (text: string) => new sdk.Expression(text);

describe("what is worked out for a new object", () => {
  test("speaks of what else it is given, and of nothing where that is not", async () => {
    const saved = await people().save({
      age: 30,
      name: worked("concat('Joe, ', age + 1)"),
      code: worked("concat(name, '!')"),
      born: worked("created"),
    });
    const expected = { age: 30, name: "Joe, 31", born: expect.any(Number), objectId: expect.any(String) };
    expect(saved).toEqual(whole(expected));
    expect(await standing("Person")).toMatchObject([{ age: 30, name: "Joe, 31", code: null, active: true }]);
    expect(await people().save({ objectId: "one", age: worked("2 * 3") }, true)).toMatchObject({ objectId: "one", age: 6 });
    expect(await people().save({ objectId: "one", age: worked("age + 1") }, true)).toMatchObject({ objectId: "one", age: 7 });
  });

  test("is so too where it is saved with others, or in a transaction", async () => {
    const deep = { name: worked("'Ann'"), orders: [{ title: worked("concat('A', 'B')") }] };
    expect(await people().deepSave(deep)).toMatchObject({ name: "Ann", orders: [{ title: "AB" }] });
    const plan = new sdk.UnitOfWork();
    plan.create("Person", { name: worked("concat('C', 'ay')") } as never);
    expect(await plan.execute()).toMatchObject({ success: true, results: expect.anything() });
    expect((await standing("Person")).map((it) => it["name"]).sort()).toEqual(["Ann", "Cay"]);
  });

  test("has to be there where it is required, and is a value of its column", async () => {
    await expect(orders().save({ title: worked("ownerId") })).rejects.toMatchObject({
      code: 1020,
      body: { errorData: { propeties: ["title"] } },
    });
    await expect(orders().save({ title: worked("concat(") })).rejects.toMatchObject({ code: 1017 });
    await expect(people().save({ age: worked("'old'") })).rejects.toMatchObject({ status: 400 });
    await expect(people().save({ age: worked("2147483647 * 3") })).rejects.toMatchObject({ code: 1023 });
    expect(await standing("Order")).toEqual([]);
  });

  test("is refused where many come at once, and not passed over", async () => {
    const many = [{ title: "a" }, { title: worked("'b'") }];
    await expect(orders().bulkCreate(many)).rejects.toMatchObject({ code: 1023 });
    await expect(orders().bulkUpsert(many)).rejects.toMatchObject({ code: 1023 });
    const plan = new sdk.UnitOfWork();
    plan.bulkCreate("Order", many);
    expect(await plan.execute()).toMatchObject({ success: false });
    expect(await standing("Order")).toEqual([]);
  });
});
