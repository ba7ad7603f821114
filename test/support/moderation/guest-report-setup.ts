import {
  confirmGuestReport,
  getGuestReport,
  mailGuestDecision,
  NewGuestReport,
  submitGuestReport,
} from "#community/moderation";
import { openSettings } from "#community/settings";
import { many, one, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { Limits } from "#platform/limits";
import { listMailbox } from "#platform/mail";
import { createSigner } from "#platform/signing";
import type { TestDatabase } from "../setup/test-database.ts";

type Fields = { kind: string; subjectId: string; email?: string; name?: string; reason?: string };
type Origin = { address?: string; honeypot?: string; proof?: "off" | "missing" };

/** Setup for reports of guests: sends and confirms them as the pages do, with fresh rate limits. */
export function createGuestReportSetup(database: TestDatabase) {
  const app = {
    database,
    limits: new Limits(),
    settings: openSettings(database),
    origin: () => "https://kith.test",
    signer: createSigner(Buffer.alloc(32, 7)),
  };

  const submit = (
    { email = "gus@example.net", name = "Gus", reason = "It sells beans.", ...subject }: Fields,
    { address = "203.0.113.7", honeypot = "", proof = "off" }: Origin = {},
  ) =>
    submitGuestReport(
      app,
      { ...NewGuestReport.parse({ email, name, reason, ...subject }), category: "spam" },
      { address, locale: "en", honeypot, proof },
    );
  const mailsTo = async (email = "gus@example.net") => (await listMailbox(database.db, email)) ?? [];
  /** Token of the link in the newest mail that has one. */
  async function token(email = "gus@example.net"): Promise<string> {
    const texts = (await mailsTo(email)).map(({ text }) => text);
    return texts.map((text) => /report\/status\/([\w-]{43})/.exec(text)?.[1]).find(Boolean) ?? "";
  }
  const confirm = (secret: string) => confirmGuestReport(app, secret);
  /** Submits and confirms a report; returns its token and its id among the reports. */
  async function report(fields: Fields, origin: Origin = {}) {
    await submit(fields, origin);
    const secret = await token(fields.email);
    await confirm(secret);
    const { id } = await one(
      database.db,
      sql<{ id: string }>`select report_id as id from guest_reports where token_hash = ${hashSecret(secret)}`,
    );
    return { id, secret };
  }
  const status = (secret: string) => getGuestReport(database.db, secret, database.clock.at);
  const mailDecisions = async () => {
    const events = await many(
      database.db,
      sql<{ id: string; reportId: string }>`
        select id, payload->>'reportId' as "reportId" from outbox
        where type = 'report.resolved' and payload->>'personId' is null order by id`,
    );
    for (const event of events) await mailGuestDecision(app, event);
  };
  const countStored = async () =>
    one(
      database.db,
      sql<{ guests: number; reports: number; cases: number }>`
        select (select count(*)::int from guest_reports) as guests, (select count(*)::int from reports) as reports,
          (select count(*)::int from cases) as cases`,
    );
  return { app, submit, token, confirm, report, status, mailsTo, mailDecisions, countStored };
}
