import { expect, test } from "vitest";
import { housekeeping } from "./tasks.ts";
import type { House } from "#web/server";

test("failing task does not stop the rest of the housekeeping and is reported", async () => {
  const done: string[] = [];
  const chore = (name: string) => async () => void done.push(name);
  const broken = async () => {
    throw new Error("the disk is full");
  };
  await expect(housekeeping({} as House, [chore("first"), broken, chore("last")])).rejects.toMatchObject({
    errors: [{ message: "the disk is full" }],
  });
  expect(done).toEqual(["first", "last"]);
});
