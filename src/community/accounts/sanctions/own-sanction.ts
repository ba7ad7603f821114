import { DAY } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { type AccountsContext, type AccountTx, inAccountTransaction } from "../accounts-context.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";

/** A sanction as shown to the sanctioned person. */
export type OwnSanction = {
  state: "limited" | "suspended";
  /** Empty if no reason was given. */
  reason: string;
  since: Date;
  /** Null if the sanction lasts until it is lifted. */
  until: Date | null;
};

/** The viewer's active sanction, or null. */
export async function getOwnSanction(db: Db, viewer: Viewer, now: Date): Promise<OwnSanction | null> {
  if (!isSignedIn(viewer)) return null;
  const found = await maybeOne(
    db,
    sql<OwnSanction>`
      select p.state, coalesce(p.state_reason, '') as reason, s.since, p.state_until as until
      from people p join sanctions s on s.person_id = p.id
      where p.id = ${viewer.id} and p.state in ('limited', 'suspended')
        and (p.state_until is null or p.state_until > ${now})`,
  );
  return found ?? null;
}

/** Starts a sanction, or replaces the current one. */
export const beginSanction = (tx: Tx, personId: string, by: Viewer): Promise<number> =>
  run(
    tx,
    sql`insert into sanctions (person_id, since, given_by)
      values (${personId}, ${tx.now}, (select id from people where id = ${by.id}::uuid))
        on conflict (person_id) do update set since = excluded.since, given_by = excluded.given_by`,
  );

/** Ends a sanction; returns whether there was one. */
export const endSanction = async (tx: Tx, personId: string): Promise<boolean> =>
  (await run(tx, sql`delete from sanctions where person_id = ${personId}`)) === 1;

/**
 * Lifetime of the emailed link to the account status page. A suspended person cannot sign in and needs this
 * link.
 */
const STANDING_LINK_LIFETIME = 100 * DAY;
const STANDING_PURPOSE = "standing";

export const createAccountStatusToken = (
  app: Pick<AccountsContext, "now" | "sealer">,
  personId: string,
): string => app.sealer.seal(STANDING_PURPOSE, { personId }, app.now());

/** The person of a standing token, always as a limited account; null for an invalid or expired token. */
export async function readAccountStatusToken(
  app: Pick<AccountsContext, "database" | "now" | "sealer">,
  token: string,
): Promise<SignedIn | null> {
  const sealed = app.sealer.unseal<{ personId: string }>(
    STANDING_PURPOSE,
    token,
    app.now(),
    STANDING_LINK_LIFETIME,
  );
  if (!sealed) return null;
  const person = await maybeOne(
    app.database.db,
    sql<Pick<SignedIn, "id" | "role" | "trust">>`
      select id, site_role as role, trust from people
      where id = ${sealed.personId} and state in ('active', 'limited', 'suspended')`,
  );
  return person ? { ...person, limited: true } : null;
}

type AccountStatus = { state: string; reason: string | null; until: Date | null };
export type StatusNotice = { id: string; personId: string; state: string; lifted: boolean; at: Date };
export type AppealNotice = { id: string; personId: string; reportId: string };

/**
 * Mails a person the decision about their account, once per domain event. Nothing is sent if the status has
 * changed again: a later email covers that.
 */
export const mailStatusNotice = (
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin" | "sealer">,
  notice: StatusNotice,
): Promise<void> => inAccountTransaction(app, (tx) => mailStatusNoticeWithin(app, tx, notice));

/** `mailStatusNotice` in the caller's transaction. */
export async function mailStatusNoticeWithin(
  app: Pick<AccountsContext, "now" | "origin" | "sealer">,
  tx: AccountTx,
  { id, personId, state, lifted, at }: StatusNotice,
): Promise<void> {
  const account = await maybeOne(
    tx,
    sql<AccountStatus>`select state, state_reason as reason, state_until as until from people
        where id = ${personId}`,
  );
  if (account?.state !== state) return;
  const name = `status.${id}`;
  if (state === "active" && !lifted) return;
  if (state === "active") {
    const reason = (await findAnswer(tx, personId, sql`resolved_at = ${at} and outcome = 'upheld'`))?.answer;
    return sendAccountMail(tx, "sanctionOver", personId, {
      name,
      reason,
      link: accountMailLinks.login(app),
    });
  }
  const { reason, until } = account;
  const link = accountMailLinks.standing(app, createAccountStatusToken(app, personId));
  await sendAccountMail(tx, state === "suspended" ? "suspended" : "limited", personId, {
    name,
    link,
    reason: reason ?? "",
    until,
  });
}

/** Mails a person that their appeal was declined, and why; once per domain event. */
export const mailAppealNotice = (
  app: Pick<AccountsContext, "database" | "settings">,
  notice: AppealNotice,
): Promise<void> => inAccountTransaction(app, (tx) => mailAppealNoticeWithin(tx, notice));

/** `mailAppealNotice` in the caller's transaction. */
export async function mailAppealNoticeWithin(
  tx: AccountTx,
  { id, personId, reportId }: AppealNotice,
): Promise<void> {
  const answered = await findAnswer(tx, personId, sql`r.id = ${reportId} and outcome = 'rejected'`);
  const account = await maybeOne(
    tx,
    sql<Pick<AccountStatus, "until">>`select state_until as until from people where id = ${personId}`,
  );
  if (!answered || !account) return;
  await sendAccountMail(tx, "sanctionStays", personId, {
    name: `appeal.${id}`,
    reason: answered.answer,
    until: account.until,
  });
}

const findAnswer = (tx: Tx, personId: string, which: ReturnType<typeof sql>) =>
  maybeOne(
    tx,
    sql<{
      answer: string;
    }>`select r.answer from reports r where r.person_id = ${personId} and r.reporter_id = r.person_id
      and r.appeal and ${which}`,
  );
