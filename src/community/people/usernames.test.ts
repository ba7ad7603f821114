import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { Username } from "./forms.ts";
import { suggestUsername, usernamesFor } from "./usernames.ts";

const { db } = await testDatabase();

describe("username", () => {
  test.each(["tomas.", "tomas-", "tomas.data", "Tomas.DATA"])("%s is refused for its end", (name) => {
    const read = Username.safeParse(name);
    expect(read.error?.issues[0]?.message).toBe("A username cannot end in a dot, a dash or “.data”.");
  });

  test.each(["tomas_", "to.mas", "to-mas", "data", "x.data.x"])("%s is accepted", (name) => {
    expect(Username.safeParse(name).data).toBe(name);
  });

  test("suggestion ends clearly, whatever the display name ends in", async () => {
    expect(await suggestUsername(db, "Tomas.data")).toBe("tomas-data");
    expect(await suggestUsername(db, "Tomas -")).toBe("tomas");
    expect(await suggestUsername(db, ".data")).toBe("data");
  });

  test("of an import is kept only with a clear end", async () => {
    expect(await usernamesFor(db, ["ana-", "ben.data", "cleo_", "dan.."])).toEqual(["ana", "ben-data", "cleo_", "dan"]);
  });
});
