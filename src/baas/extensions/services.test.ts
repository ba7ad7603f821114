import { expect, test } from "vitest";
import { z } from "zod";
import { type Method, Services } from "./index.ts";

const echo: Method<{ who: string }> = {
  service: "Echo",
  name: "say",
  about: "Says it again.",
  input: z.object({ word: z.string().max(5), times: z.coerce.number().default(1) }),
  run: async ({ who }, input) => ({ who, input }),
};
const services = new Services<{ who: string }>().add(echo);
const call = (service: string, name: string, sent: unknown) =>
  services.call(service, name, { who: "mira" }, sent);

test("service method receives the validated input and the caller", async () => {
  expect(await call("Echo", "say", { word: "beans", more: "is left out" })).toEqual({
    who: "mira",
    input: { word: "beans", times: 1 },
  });
  expect(services.all()).toEqual([echo]);
});

test.each([
  ["Nobody", "say", {}, "not-found", "There is no service 'Nobody'."],
  ["Echo", "sing", {}, "not-found", "The service 'Echo' has no method 'sing'."],
  ["Echo", "constructor", {}, "not-found", "The service 'Echo' has no method 'constructor'."],
  ["Echo", "say", { word: "too long" }, "invalid", /^word: /],
  ["Echo", "say", null, "invalid", /./],
  ["Echo", "say", "beans", "invalid", /./],
] as const)("call of %s/%s with %j is rejected", async (service, name, sent, reason, message) => {
  await expect(call(service, name, sent)).rejects.toMatchObject({
    reason,
    message: message instanceof RegExp ? (expect.stringMatching(message) as string) : message,
  });
});

test("services of the operator can be added and removed, but cannot replace built-in ones", async () => {
  const own = { ...echo, service: "Own" };
  services.setOwn([own]);
  expect(services.all()).toEqual([echo, own]);
  expect(await call("Own", "say", { word: "tea" })).toMatchObject({ who: "mira" });
  expect(() => services.setOwn([echo])).toThrow("two methods");
  services.setOwn([]);
  await expect(call("Own", "say", {})).rejects.toMatchObject({ message: "There is no service 'Own'." });
});

test("method name must be unique and valid in a URL", () => {
  expect(() => services.add(echo)).toThrow("two methods");
  expect(() => services.add({ ...echo, name: "say it" })).toThrow("is not a valid service and method name");
  expect(() => services.add({ ...echo, service: "../data" })).toThrow(
    "is not a valid service and method name",
  );
});
