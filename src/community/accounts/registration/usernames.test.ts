import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { Username } from "../account-forms.ts";
import { suggestUsername, assignUsernames } from "./usernames.ts";

const { db } = await testDatabase();

describe("username", () => {
  test.each(["tomas.", "tomas-", "tomas.data", "Tomas.DATA"])("cannot end like %s", (name) => {
    const parsed = Username.safeParse(name);
    expect(parsed.error?.issues[0]?.message).toBe("A username cannot end in a dot, a dash or “.data”.");
  });

  test.each(["tomas_", "to.mas", "to-mas", "data", "x.data.x"])("may be %s", (name) => {
    expect(Username.safeParse(name).data).toBe(name);
  });

  test("suggested from a display name never ends in a dot, a dash or “.data”", async () => {
    expect(await suggestUsername(db, "Tomas.data")).toBe("tomas-data");
    expect(await suggestUsername(db, "Tomas -")).toBe("tomas");
    expect(await suggestUsername(db, ".data")).toBe("data");
  });

  test("from an import is changed if its ending is not allowed", async () => {
    expect(await assignUsernames(db, ["ana-", "ben.data", "cleo_", "dan.."])).toEqual([
      "ana",
      "ben-data",
      "cleo_",
      "dan",
    ]);
  });
});
