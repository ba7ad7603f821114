import { expect, test } from "vitest";
import { captureLog } from "../../../test/support/log/captured-log.ts";
import { redactInLogs, redactText } from "./index.ts";

const KEY = "7F3A0C52-99D1-4B0E-AF12-5D0C7E1B9A44";
const TOKEN = "Zq3-x0fJYp7mN_sK2vT9cWbA5dLrEu1hGiOo4yXkQzR";
const APP = "0123456789ABCDEF0123456789ABCDEF01234567";

test.each([
  ["key in a URL", `GET /${APP}/${KEY}/data/Beds failed`, KEY],
  ["key of one letter", `"/${APP}/${"C".repeat(40)}/cache"`, "C".repeat(40)],
  ["token", `unexpected ${TOKEN} here`, TOKEN],
  ["bearer token", "authorization: Bearer abcdefgh", "abcdefgh"],
  ["named password", "failed with password=hunter22, sorry", "hunter22"],
  ["named token in JSON", '{"token": "short"}', "short"],
  ["email address", "mira@example.org is known", "mira@example.org"],
  ["email address in a path", "/users/restorepassword/mira%40example.org", "mira%40example.org"],
  ["query", "GET /search?q=my+illness", "illness"],
])("%s is removed from messages, errors and fields", (_what, text, secret) => {
  const { log, text: written } = captureLog();
  log.warn(text);
  log.error({ err: new Error(text), deep: { list: [text] } }, "failed");
  expect(
    written()
      .split("\n")
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { level: number }).level),
  ).toEqual([40, 50]);
  expect(written()).not.toContain(secret);
});

test("value of a field with a secret's name is removed, whatever its form", () => {
  const { log, text } = captureLog();
  log.info({ query: { apiKey: "abc", userToken: "def" }, user: { email: "ghi" } }, "asked");
  expect(JSON.parse(text())).toMatchObject({ query: { apiKey: "…", userToken: "…" } });
  expect(text()).not.toMatch(/abc|def|ghi/);
});

test("log line without secrets is unchanged", () => {
  const { log, text } = captureLog();
  log.info(
    { requestId: "a1b2-1", path: "/groups/:groupId", ms: 3, id: "0198c0de-0000-7000-8000-000000000001" },
    "answered",
  );
  expect(JSON.parse(text())).toMatchObject({
    requestId: "a1b2-1",
    path: "/groups/:groupId",
    ms: 3,
    id: "0198c0de-0000-7000-8000-000000000001",
    msg: "answered",
  });
});

test("secret of the installation is redacted even if it looks like an ordinary word", () => {
  redactInLogs(["marigold-and-thyme", "short", undefined]);
  expect(redactText("keys marigold-and-thyme and short")).toBe("keys … and short");
  const { log, text } = captureLog();
  log.info({ url: "http://x/marigold-and-thyme/" }, "asked");
  expect(text()).not.toContain("marigold");
});
