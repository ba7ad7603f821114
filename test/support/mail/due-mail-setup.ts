import { beforeEach } from "vitest";
import { addMilliseconds, MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { type MailHeaders } from "#platform/mail";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { createMailContext, insertNotification } from "./mail-context.ts";
import type { MailContext } from "../../../src/community/mail/mail-context.ts";

export const database = await testDatabase();
export const { db, clock, inTransaction: within } = database;
export let people: TestUsers;
export let app: MailContext;
export let group: Awaited<ReturnType<typeof createTestGroup>>;
export let discussion: Awaited<ReturnType<typeof createTestDiscussion>>;
beforeEach(async () => {
  app = createMailContext(database);
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "private" });
  discussion = await createTestDiscussion(database, people.mira, group.id);
});

export const inTenMinutes = () => addMilliseconds(clock.at, 10 * MINUTE);
/** Creates a reply by Tomas, of which Mira is notified. */
export async function createReplyNotification(body = "After the ice saints.") {
  const { id } = await createTestReply(database, people.tomas, discussion.id, { body });
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "reply",
    objectKind: "discussion",
    objectId: discussion.id,
    actors: [people.tomas.id],
    items: [id],
    mailAt: inTenMinutes(),
  });
  return id;
}
export const listDueTimes = () =>
  many(
    db,
    sql<{
      mailAt: Date | null;
      mailedAt: Date | null;
    }>`select mail_at as "mailAt", mailed_at as "mailedAt" from notifications order by id`,
  );
export const listSentHeaders = () =>
  many(
    db,
    sql<{
      id: string;
      headers: MailHeaders;
      person: string;
    }>`select message_id as id, headers, person_id as person from mails order by created_at, id`,
  );
