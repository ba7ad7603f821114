import { randomUUID } from "node:crypto";
import type { APIRequestContext, APIResponse, Browser } from "@playwright/test";
import { DEMO_PASSWORD } from "../../../src/app/secrets.ts";
import { expect } from "./fixtures.ts";

/** Another person without a browser window, who acts by form requests. */
export type OtherPerson = {
  /** Starts a discussion and returns its id. */
  starts: (group: string, title: string) => Promise<string>;
  replies: (discussionId: string, body: string) => Promise<void>;
  posts: (path: string, form: Record<string, string>) => Promise<APIResponse>;
  request: APIRequestContext;
};

export async function openOtherPerson(
  browser: Browser,
  username: string,
  baseURL: string,
): Promise<OtherPerson> {
  const { request } = await browser.newContext({ baseURL });
  const posts = async (path: string, form: Record<string, string>) => {
    const answer = await request.post(path, { form, headers: { origin: baseURL } });
    expect([path, answer.status() < 400]).toEqual([path, true]);
    return answer;
  };
  await posts("/login", { login: username, password: DEMO_PASSWORD });
  return {
    request,
    posts,
    async starts(group, title) {
      const page = await (await request.get(`/groups/${group}/new`)).text();
      const [, groupId = ""] = /name="groupId" value="([0-9a-f-]{36})"/.exec(page) ?? [];
      const answer = await posts(`/groups/${group}/new`, { groupId, title, body: "What do you think?" });
      return /discussions\/([0-9a-f-]{36})/.exec(answer.url())![1]!;
    },
    async replies(discussionId, body) {
      await posts(`/discussions/${discussionId}/replies`, { body, clientId: randomUUID() });
    },
  };
}
