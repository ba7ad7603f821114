import { beforeEach } from "vitest";
import { later, MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { type MailHeaders } from "#platform/mail";
import { aDiscussion, aGroup, aReply, cast, type Cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { mailHouse, told } from "../../../test/mail-house.ts";
import type { MailHouse } from "./house.ts";

export const database = await testDatabase();
export const { db, clock, inTransaction: within } = database;
export let people: Cast;
export let house: MailHouse;
export let group: Awaited<ReturnType<typeof aGroup>>;
export let discussion: Awaited<ReturnType<typeof aDiscussion>>;
beforeEach(async () => {
  house = mailHouse(database);
  people = await cast(database);
  group = await aGroup(database, people, { visibility: "private" });
  discussion = await aDiscussion(database, people.mira, group.id);
});

export const soon = () => later(clock.at, 10 * MINUTE);
/** Tomas replies, and Mira gets a notification. */
export async function answered(body = "After the ice saints.") {
  const { id } = await aReply(database, people.tomas, discussion.id, { body });
  await told(database, {
    personId: people.mira.id,
    kind: "reply",
    objectKind: "discussion",
    objectId: discussion.id,
    actors: [people.tomas.id],
    items: [id],
    mailAt: soon(),
  });
  return id;
}
export const rows = () =>
  many(
    db,
    sql<{ mailAt: Date | null; mailedAt: Date | null }>`select mail_at as "mailAt", mailed_at as "mailedAt" from notifications order by id`,
  );
export const heads = () =>
  many(
    db,
    sql<{
      id: string;
      headers: MailHeaders;
      person: string;
    }>`select message_id as id, headers, person_id as person from mails order by created_at, id`,
  );
