import { expect, test } from "vitest";
import { Limits } from "#platform/limits";
import { FormLimits } from "./form-rate-limits.ts";

function formLimits() {
  const asked: string[] = [];
  const findSession = async (token: string) => (asked.push(token), token === "alive" ? ({} as never) : null);
  const limits = new FormLimits({ limits: new Limits(), findSession });
  const send = async (count: number, token: string | undefined, address = "203.0.113.7") => {
    for (let n = 0; n < count; n++) await limits.admit({ token, address });
  };
  return { send, asked };
}

test.each([
  ["no cookie", undefined],
  ["a made-up cookie", "made-up"],
  ["an empty cookie", ""],
])("a guest with %s may send 120 forms", async (_what, token) => {
  const { send } = formLimits();
  await send(120, token);
  await expect(send(1, token)).rejects.toMatchObject({ reason: "too-many" });
  await expect(send(1, undefined)).rejects.toMatchObject({ reason: "too-many" });
  await send(1, token, "203.0.113.8");
});

test("a guest cannot bypass the limit with a new invented cookie for each form", async () => {
  const { send } = formLimits();
  for (let n = 0; n < 120; n++) await send(1, `made-up-${n}`);
  await expect(send(1, "another")).rejects.toMatchObject({ reason: "too-many" });
});

test("a member may send 1200 forms, and the session is looked up once", async () => {
  const { send, asked } = formLimits();
  await send(1_200, "alive");
  expect(asked).toEqual(["alive"]);
  await expect(send(1, "alive")).rejects.toMatchObject({ reason: "too-many" });
});
