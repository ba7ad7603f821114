import { type Message, toEnglish } from "#platform/messages";
import { beforeEach } from "vitest";
import { many, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../test-users.ts";
import { createMailContext } from "./mail-context.ts";
import { testDatabase } from "../setup/test-database.ts";
import { getReplyToken } from "../../../src/community/mail/reply-addresses.ts";

export const database = await testDatabase();
export const { db, clock, inTransaction: within } = database;
export const app = {
  ...createMailContext(database, { replyBox: "reply@kith.test" }),
  translate: async (_locale: string, message: Message) => toEnglish(message),
};
export let people: TestUsers;
export let group: Awaited<ReturnType<typeof createTestGroup>>;
export let discussionId: string;
export let answeredPost: string;
export let box: string;
beforeEach(async () => {
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "private" });
  ({ id: discussionId } = await createTestDiscussion(database, people.mira, group.id));
  ({ id: answeredPost } = await createTestReply(database, people.tomas, discussionId));
  box = await createReplyAddress("discussion", discussionId, answeredPost);
});

export const createReplyAddress = (
  kind: "discussion" | "conversation",
  id: string,
  latestId: string | null = null,
) =>
  within(
    async (tx) =>
      `reply+${await getReplyToken(tx, app, { personId: people.mira.id, kind, id, latestId })}@kith.test`,
  );

type MailHeader = { to?: string; from?: string; id?: string; more?: string[]; type?: string };
export const createRawMail = (
  body: string,
  {
    to = box,
    from = "Mira <mira@example.org>",
    id = "<1@mira.test>",
    more = [],
    type = "text/plain; charset=utf-8",
  }: MailHeader = {},
) =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      "Subject: Re: Beans",
      `Message-ID: ${id}`,
      ...more,
      `Content-Type: ${type}`,
      "",
      body,
    ].join("\r\n"),
  );

export const listPosts = () =>
  many(
    db,
    sql<{
      body: string;
      by: string;
      to: string | null;
    }>`select body_md as body, author_id as by, reply_to as "to" from posts
      where discussion_id = ${discussionId} and number > 2 order by number`,
  );
