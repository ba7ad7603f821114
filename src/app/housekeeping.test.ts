import { expect, test } from "vitest";
import { runHousekeeping } from "./housekeeping.ts";
import type { WebContext } from "#web/server";

test("failing housekeeping task is reported and does not stop the other tasks", async () => {
  const done: string[] = [];
  const chore = (name: string) => async () => void done.push(name);
  const broken = async () => {
    throw new Error("the disk is full");
  };
  await expect(
    runHousekeeping({} as WebContext, [chore("first"), broken, chore("last")]),
  ).rejects.toMatchObject({
    errors: [{ message: "the disk is full" }],
  });
  expect(done).toEqual(["first", "last"]);
});
