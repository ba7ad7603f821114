import { expect, test } from "vitest";
import { housekeeping } from "./tasks.ts";
import type { House } from "#web/server";

test("of the housekeeping, what fails keeps nothing else from being done, and is told of", async () => {
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
