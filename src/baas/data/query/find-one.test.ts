import { describe, expect, test } from "vitest";

import { findOne } from "./index.ts";
import { engine, mira, getTable } from "../../../../test/support/data/find-context.ts";

describe("single record", () => {
  test("can be found by id, with the requested properties", async () => {
    expect(await findOne(engine, mira, getTable("Person"), "a")).toMatchObject({
      name: "Joe",
      home: { city: "New York" },
    });
    expect(await findOne(engine, mira, getTable("Person"), "a", { loadRelations: "*" })).toMatchObject({
      address: [{ city: "Berlin" }, { city: "New York" }],
    });
  });

  test("gives the same not-found error whether missing or forbidden", async () => {
    for (const [name, id] of [
      ["Person", "zz"],
      ["Diary", "d2"],
      ["Person", "'; drop table x"],
    ] as const)
      await expect(findOne(engine, mira, getTable(name), id)).rejects.toMatchObject({
        code: 1000,
        message: `Entity with ID ${id} not found`,
      });
  });
});
