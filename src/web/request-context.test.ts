import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { Refusal } from "#platform/refusal";
import { defineAction, requestContext, type RequestContext } from "./request-context.ts";

const context = new RouterContextProvider();
context.set(requestContext, {
  app: { database: {} },
  viewer: { id: null, role: "guest" },
  locale: "en",
} as RequestContext);

const send = (action: ReturnType<typeof defineAction>) => {
  const url = "https://kith.test/files";
  return action({
    request: new Request(url, { method: "POST", body: "left unread" }),
    url: new URL(url),
    params: {},
    context,
  });
};

test("an action with its own body parser gets the parsed form, and the body stays unread", async () => {
  const received = new FormData();
  const action = defineAction(
    async ({ form, request }) => [form === received, await request.text()],
    async () => received,
  );
  expect(await send(action)).toEqual([true, "left unread"]);
});

test("a refusal by the body parser renders the page again", async () => {
  const action = defineAction(
    async () => null,
    async () => {
      throw new Refusal("too-large", "Too large.");
    },
  );
  expect(await send(action)).toMatchObject({
    data: { refused: { message: "Too large." } },
    init: { status: 413 },
  });
});
