import { maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { queueMail } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { assertAddressAllowed } from "#community/prevention";
import { alreadyReported } from "../report-content.ts";
import { composeGuestReportEmail } from "./guest-report-emails.ts";
import type { GuestReportKind } from "./guest-report-inputs.ts";
import { insertGuestReport } from "./guest-report-subjects.ts";
import { guestReportLink, type GuestReportContext } from "./submit-guest-report.ts";

type StoredGuestReport = {
  id: string;
  kind: GuestReportKind;
  subjectId: string;
  name: string;
  email: string;
  locale: string;
  category: string;
  law: string;
  reason: string;
  reportId: string | null;
};

/**
 * Confirms the address of a guest's report by its link: the report joins the case of its subject, and the
 * guest gets a receipt by mail. Another use of the link changes nothing.
 * @throws `gone` for a wrong or expired link and for content that guests no longer see, `conflict` while
 * another report of this address is pending, `not-allowed` for an address that was blocked meanwhile
 */
export async function confirmGuestReport(app: GuestReportContext, token: string): Promise<void> {
  const site = await app.settings.get();
  await app.database.inTransaction(async (tx) => {
    const report = await lockGuestReport(tx, token);
    if (!report) throw expiredLink();
    if (report.reportId !== null) return;
    const { email, name, locale } = report;
    await assertAddressAllowed(tx, { email }, { contact: site.contact, now: tx.now });
    await assertNoneIsPending(tx, report);
    if (site.audience === "private") throw hiddenContent();
    const { id } = await insertGuestReport(tx, report, report).catch(explainMissingContent);
    await run(
      tx,
      sql`update guest_reports set confirmed_at = ${tx.now}, report_id = ${id} where id = ${report.id}`,
    );
    await queueMail(tx, {
      to: email,
      letter: composeGuestReportEmail("receipt", locale, {
        name,
        community: site.name,
        link: guestReportLink(app, token),
      }),
    });
  });
}

const expiredLink = () =>
  new Refusal("gone", "This link does not work. It may be incomplete, or older than two days.");
const hiddenContent = () =>
  new Refusal(
    "gone",
    "The content is no longer visible to guests. The report was not sent to the moderators.",
  );

const lockGuestReport = (tx: Tx, token: string) =>
  maybeOne(
    tx,
    sql<StoredGuestReport>`
      select id, kind, subject_id as "subjectId", name, email, locale, category, law, reason,
        report_id as "reportId"
      from guest_reports where token_hash = ${hashSecret(token)}
        and (report_id is not null or expires_at > ${tx.now}) for update`,
  );

/** One pending report per address and subject, as for members. */
async function assertNoneIsPending(tx: Tx, { subjectId, email }: StoredGuestReport): Promise<void> {
  await run(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended('guest-report:' || ${subjectId}::text || lower(${email}), 0))`,
  );
  const pending = await maybeOne(
    tx,
    sql`select from guest_reports g join reports r on r.id = g.report_id
      where g.subject_id = ${subjectId} and lower(g.email) = lower(${email}) and r.resolved_at is null`,
  );
  if (pending) throw alreadyReported();
}

function explainMissingContent(error: unknown): never {
  throw error instanceof Refusal && error.reason === "not-found" ? hiddenContent() : error;
}
