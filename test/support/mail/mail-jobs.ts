import { testDatabase } from "../setup/test-database.ts";
import { many, one, sql } from "#platform/database";
import { type EmailContent, type Mail, queueMail } from "../../../src/platform/mail/index.ts";

export const { db, inTransaction, clock } = await testDatabase();
export const sampleEmail: EmailContent = {
  language: "de",
  community: "Kith",
  subject: "Grüße",
  parts: [{ kind: "sentence", text: "Hello Mira," }],
  act: { button: "Open", link: "https://kith.example.org/x?token=abc" },
};
export const renderSampleEmail = async ({ subject }: EmailContent) => `<h1>${subject}</h1>`;

export const queueSampleMail = async (more: Partial<Mail> = {}): Promise<string> => {
  await inTransaction((tx) => queueMail(tx, { to: "mira@example.org", letter: sampleEmail, ...more }));
  return (await one(db, sql<{ id: string }>`select id from mails order by created_at desc, id desc limit 1`))
    .id;
};
export const readMailState = (id: string) =>
  one(
    db,
    sql<Record<string, unknown>>`
      select sent_at is not null as sent, given_up_at is not null as "givenUp",
        claimed_at is not null as claimed, failure, body_text as text from mails where id = ${id}`,
  );
export const listMailJobs = () =>
  many(
    db,
    sql<{ task: string; payload: unknown; at: Date }>`
      select task_identifier as task, payload, run_at as at from graphile_worker.jobs
      join graphile_worker._private_jobs using (id, run_at)`,
  );
