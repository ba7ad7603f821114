import { beforeEach } from "vitest";
import { many, sql } from "#platform/database";
import { aDiscussion, aGroup, aReply, cast, type Cast } from "../../../test/cast.ts";
import { mailHouse } from "../../../test/mail-house.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { replyTokenFor } from "./reply-addresses.ts";

export const database = await testDatabase();
export const { db, clock, inTransaction: within } = database;
export const house = {
  ...mailHouse(database, { replyBox: "reply@kith.test" }),
  say: async (_locale: string, sentence: string) => sentence,
};
export let people: Cast;
export let group: Awaited<ReturnType<typeof aGroup>>;
export let discussionId: string;
export let answeredPost: string;
export let box: string;
beforeEach(async () => {
  people = await cast(database);
  group = await aGroup(database, people, { visibility: "private" });
  ({ id: discussionId } = await aDiscussion(database, people.mira, group.id));
  ({ id: answeredPost } = await aReply(database, people.tomas, discussionId));
  box = await addressFor("discussion", discussionId, answeredPost);
});

export const addressFor = (kind: "discussion" | "conversation", id: string, latestId: string | null = null) =>
  within(async (tx) => `reply+${await replyTokenFor(tx, house, { personId: people.mira.id, kind, id, latestId })}@kith.test`);

type Head = { to?: string; from?: string; id?: string; more?: string[]; type?: string };
export const mail = (
  body: string,
  { to = box, from = "Mira <mira@example.org>", id = "<1@mira.test>", more = [], type = "text/plain; charset=utf-8" }: Head = {},
) =>
  Buffer.from(
    [`From: ${from}`, `To: ${to}`, "Subject: Re: Beans", `Message-ID: ${id}`, ...more, `Content-Type: ${type}`, "", body].join("\r\n"),
  );

export const posts = () =>
  many(
    db,
    sql<{
      body: string;
      by: string;
      to: string | null;
    }>`select body_md as body, author_id as by, reply_to as "to" from posts where discussion_id = ${discussionId} and number > 2 order by number`,
  );
