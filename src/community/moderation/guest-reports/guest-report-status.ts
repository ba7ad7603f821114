import { type Db, maybeOne, sql, type Tx } from "#platform/database";
import { hashSecret, isId } from "#platform/ids";
import { queueMail } from "#platform/mail";
import { notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { accountRules, type Viewer } from "#community/rules";
import { findCase } from "../cases/find-case.ts";
import { categoryColumn } from "../list-reports.ts";
import { composeGuestReportEmail } from "./guest-report-emails.ts";
import type { GuestReportKind } from "./guest-report-inputs.ts";
import { createGuestReportToken, type GuestReportContext, guestReportLink } from "./submit-guest-report.ts";

/**
 * A report as its guest sees it: without moderators, notes and what was done, and without the content, which
 * the guest may no longer see.
 */
export type GuestReportStatus = {
  state: "unconfirmed" | "received" | "in-progress" | "decided";
  kind: GuestReportKind;
  category: { id: string; name: string };
  reason: string;
  createdAt: Date;
  resolvedAt: Date | null;
  outcome: "upheld" | "rejected" | null;
};

/**
 * The report of a link.
 * @throws `not-found` for a wrong or expired link
 */
export async function getGuestReport(db: Db, token: string, now: Date): Promise<GuestReportStatus> {
  const status = await maybeOne(
    db,
    sql<GuestReportStatus>`
      select case when g.report_id is null then 'unconfirmed' when r.resolved_at is not null then 'decided'
          when c.state = 'in_progress' then 'in-progress' else 'received' end as state,
        g.kind, ${categoryColumn("g")} as category, g.reason, g.created_at as "createdAt",
        r.resolved_at as "resolvedAt", r.outcome
      from guest_reports g left join reports r on r.id = g.report_id left join cases c on c.id = r.case_id
      where g.token_hash = ${hashSecret(token)} and (g.report_id is not null or g.expires_at > ${now})`,
  );
  if (!status) throw notFound();
  return status;
}

/**
 * Mails the decision on a guest's report with the link to its status, once per event. Reports with a random token,
 * made before tokens were derived, and those from before a change of the server's secret get no link. Does nothing for reports of members, who are
 * notified, and for automatic ones.
 */
export async function mailGuestDecision(
  app: Pick<GuestReportContext, "database" | "settings" | "origin" | "signer">,
  { id, reportId }: { id: string; reportId: string },
): Promise<void> {
  const site = await app.settings.get();
  await app.database.inTransaction(async (tx) => {
    const report = await maybeOne(
      tx,
      sql<{
        guestReportId: string;
        tokenHash: Buffer;
        name: string;
        email: string;
        locale: string;
        outcome: "upheld" | "rejected";
      }>`
        select g.id as "guestReportId", g.token_hash as "tokenHash", g.name, g.email, g.locale, r.outcome from guest_reports g join reports r on r.id = g.report_id
        where r.id = ${reportId} and r.resolved_at is not null`,
    );
    if (!report) return;
    const { name, email, locale, outcome } = report;
    const token = createGuestReportToken(app, report.guestReportId);
    const isCurrent = hashSecret(token).equals(report.tokenHash);
    await queueMail(tx, {
      to: email,
      messageId: `guest-report-${id}`,
      letter: composeGuestReportEmail(outcome, locale, {
        name,
        community: site.name,
        ...(isCurrent && { link: guestReportLink(app, token) }),
      }),
    });
  });
}

/**
 * The full email address of a guest who made a report of a case. The audit log records each call.
 * @throws `not-found` for all but staff who may see the case
 */
export async function revealGuestAddress(
  tx: Tx,
  viewer: Viewer,
  { caseId, reportId }: { caseId: string; reportId: string },
): Promise<{ reportId: string; address: string }> {
  if (!accountRules.moderate(viewer) || !isId(reportId)) throw notFound();
  const it = await findCase(tx, viewer, caseId);
  const guest = await maybeOne(
    tx,
    sql<{ email: string }>`select g.email from guest_reports g join reports r on r.id = g.report_id
      where r.id = ${reportId} and r.case_id = ${it.caseId}`,
  );
  if (!guest) throw notFound();
  await writeAudit(tx, viewer, { act: "report.address-read", kind: "report", id: reportId });
  return { reportId, address: guest.email };
}
