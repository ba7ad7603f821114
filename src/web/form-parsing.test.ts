import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import { describe, expect, test } from "vitest";
import type { SignedIn } from "#community/rules";
import * as settings from "./account/account-settings-page.tsx";
import * as fields from "./admin/people/profile-fields-page.tsx";
import * as programs from "./admin/api-keys-page.tsx";
import * as desk from "./groups/approval/approval-queue-page.tsx";
import * as search from "./search/search-page.tsx";
import { type RequestContext, requestContext } from "./request-context.ts";
import * as welcome from "./welcome/welcome-page.tsx";

const me: SignedIn = {
  id: "0198c5a0-0000-7000-8000-000000000001",
  role: "admin",
  trust: "established",
  limited: false,
};
const app = { database: { inTransaction: (work: (tx: object) => unknown) => Promise.resolve(work({})) } };

/** Status of an action's response to a form with nothing but this intent. */
async function statusOf(
  action: (args: never) => Promise<unknown>,
  intent: string,
): Promise<number | undefined> {
  const context = new RouterContextProvider();
  context.set(requestContext, {
    viewer: me,
    locale: "en",
    app,
    cookies: new Map(),
    headers: {},
    setCookies: [],
  } as unknown as RequestContext);
  const url = new URL("https://kith.test/");
  const request = new Request(url, { method: "POST", body: new URLSearchParams({ intent }) });
  const args = { request, url, params: { id: me.id }, context } as unknown as ActionFunctionArgs;
  const answer = await action(args as never).catch((error: unknown) => error);
  return (answer as { init?: { status?: number } }).init?.status;
}

describe("form intent", () => {
  const pages = { settings, fields, programs, desk, search, welcome };
  const none = ["constructor", "__proto__", "toString", "hasOwnProperty", ""];
  test.each(
    Object.entries(pages).flatMap(([name, { action }]) => none.map((intent) => ({ name, action, intent }))),
  )("unknown to the action of $name is refused: “$intent”", async ({ action, intent }) =>
    expect(await statusOf(action as never, intent)).toBe(404),
  );
});
