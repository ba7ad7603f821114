import type { z } from "zod";
import { clientNetwork } from "#platform/client-address";
import { addMilliseconds, DAY } from "#platform/clock";
import { type Database, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { type Limits, type RateLimit, tooManyRequests } from "#platform/limits";
import { queueMail } from "#platform/mail";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Signer } from "#platform/signing";
import { emailLimitKey } from "#community/accounts";
import { assertAddressAllowed, type CheckedProof, useProof } from "#community/prevention";
import type { Settings } from "#community/settings";
import { type ReportDetails, toStoredDetails } from "../report-forms.ts";
import { composeGuestReportEmail } from "./guest-report-emails.ts";
import type { NewGuestReport } from "./guest-report-inputs.ts";
import { assertVisibleToGuests } from "./guest-report-subjects.ts";

/** Days in which a guest confirms a report; unconfirmed ones are deleted afterwards. */
const CONFIRM_DAYS = 2;

const HOUR_SECONDS = 3_600;
/** Reports per address, per network, and of all guests together. Without a proof of work there are fewer. */
export const GUEST_REPORT_LIMITS = {
  address: { points: 3, seconds: 24 * HOUR_SECONDS },
  network: { points: 5, seconds: HOUR_SECONDS },
  networkWithoutProof: { points: 1, seconds: HOUR_SECONDS },
  all: { points: 100, seconds: HOUR_SECONDS },
  allWithoutProof: { points: 20, seconds: HOUR_SECONDS },
} satisfies Record<string, RateLimit>;

export type GuestReportContext = {
  database: Database;
  limits: Pick<Limits, "take">;
  settings: Pick<Settings, "get">;
  origin: () => string;
  signer: Pick<Signer, "mark">;
};
type Origin = {
  /** Network address of the browser. */
  address: string;
  locale: string;
  /** Content of a field that people cannot see. */
  honeypot: string;
  proof: CheckedProof | "off" | "missing";
};

/**
 * Stores the report of a guest and mails a link that confirms it. A new report replaces an unconfirmed one of
 * the same address about the same content. A filled honeypot gets the same response, and nothing is stored.
 * @throws `not-found` for content that guests cannot see, `not-allowed` for a blocked address, `too-many` for
 * too many reports of an address, of a network or of all guests, `invalid` for a used proof
 */
export async function submitGuestReport(
  app: GuestReportContext,
  input: z.output<typeof NewGuestReport> & ReportDetails,
  { address, locale, honeypot, proof }: Origin,
): Promise<void> {
  if (honeypot !== "") return;
  await takeLimits(app.limits, { email: input.email, address, hasProof: proof !== "missing" });
  const site = await app.settings.get();
  await app.database.inTransaction(async (tx) => {
    await assertAddressAllowed(tx, { email: input.email, address }, { contact: site.contact, now: tx.now });
    await assertVisibleToGuests(tx, input.kind, input.subjectId);
    if (typeof proof === "object") await useProof(tx, proof);
    const id = tx.newId();
    const token = createGuestReportToken(app, id);
    await storeGuestReport(tx, id, token, input, locale);
    const link = guestReportLink(app, token);
    await queueMail(tx, {
      to: input.email,
      letter: composeGuestReportEmail("confirm", locale, { name: input.name, community: site.name, link }),
    });
  });
}

/**
 * The secret token of a guest's report. It is derived from the id with the server's secret, so that later mails can
 * carry the link too, and the database has its digest only.
 */
export const createGuestReportToken = ({ signer }: Pick<GuestReportContext, "signer">, id: string): string =>
  signer.mark("guest-report", id).toString("base64url");

/** Path of a guest's report, followed by the token, which is a secret. */
export const GUEST_REPORT_PATH = "/report/status/";
export const guestReportLink = (app: Pick<GuestReportContext, "origin">, token: string) =>
  `${app.origin()}${GUEST_REPORT_PATH}${token}`;

/**
 * Takes from the smallest limit first, so that one network or address cannot use up the limit of all guests.
 * Refused reports cost no query.
 */
async function takeLimits(
  limits: Pick<Limits, "take">,
  { email, address, hasProof }: { email: string; address: string; hasProof: boolean },
): Promise<void> {
  const { network, networkWithoutProof, all, allWithoutProof } = GUEST_REPORT_LIMITS;
  const suffix = hasProof ? "" : "-without-proof";
  const place = clientNetwork(address);
  await take(limits, `guest-report-network${suffix}`, hasProof ? network : networkWithoutProof, place);
  await take(limits, "guest-report-address", GUEST_REPORT_LIMITS.address, emailLimitKey(email));
  await take(limits, `guest-report-all${suffix}`, hasProof ? all : allWithoutProof, "");
}

async function take(limits: Pick<Limits, "take">, name: string, limit: RateLimit, key: string) {
  try {
    await limits.take(name, limit, key);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw tooManyRequests(
      error.retryAfter ?? limit.seconds,
      msg("Guests have sent too many reports. Members can still report."),
    );
  }
}

async function storeGuestReport(
  tx: Tx,
  reportId: string,
  token: string,
  { kind, subjectId, name, email, reason, ...details }: z.output<typeof NewGuestReport> & ReportDetails,
  locale: string,
): Promise<void> {
  const { category, law } = toStoredDetails(details);
  await run(
    tx,
    sql`delete from guest_reports
      where subject_id = ${subjectId} and lower(email) = lower(${email}) and report_id is null`,
  );
  await run(
    tx,
    sql`insert into guest_reports (id, token_hash, kind, subject_id, name, email, locale, category, law, reason,
        created_at, expires_at)
      values (${reportId}, ${hashSecret(token)}, ${kind}, ${subjectId}, ${name}, ${email}, ${locale},
        ${category}, ${law}, ${reason}, ${tx.now}, ${addMilliseconds(tx.now, CONFIRM_DAYS * DAY)})`,
  );
}

/** Deletes reports that were not confirmed in time. Called by a job; returns the number. */
export const purgeUnconfirmedGuestReports = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from guest_reports where report_id is null and expires_at < ${tx.now}`);
