import { DAY } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import type { House } from "./house.ts";
import { links, write } from "./write.ts";

/** A sanction as the person concerned reads it. */
export type OwnSanction = {
  state: "limited" | "suspended";
  /** "" where none was given. */
  reason: string;
  since: Date;
  /** Null: until it is lifted. */
  until: Date | null;
};

/** The viewer's active sanction, or null. */
export async function sanctionFor(db: Db, viewer: Viewer, now: Date): Promise<OwnSanction | null> {
  if (!isSignedIn(viewer)) return null;
  const found = await maybeOne(
    db,
    sql<OwnSanction>`
      select p.state, coalesce(p.state_reason, '') as reason, s.since, p.state_until as until
      from people p join sanctions s on s.person_id = p.id
      where p.id = ${viewer.id} and p.state in ('limited', 'suspended') and (p.state_until is null or p.state_until > ${now})`,
  );
  return found ?? null;
}

/** Starts a sanction, or replaces the current one. */
export const beginSanction = (tx: Tx, personId: string, by: Viewer): Promise<number> =>
  run(
    tx,
    sql`insert into sanctions (person_id, since, given_by) values (${personId}, ${tx.now}, (select id from people where id = ${by.id}::uuid))
        on conflict (person_id) do update set since = excluded.since, given_by = excluded.given_by`,
  );

/** Returns whether there was a sanction to end. */
export const endSanction = async (tx: Tx, personId: string): Promise<boolean> =>
  (await run(tx, sql`delete from sanctions where person_id = ${personId}`)) === 1;

/** Lifetime of the emailed link to the account status: a suspended person cannot sign in. */
const LEADS = 100 * DAY;
const PURPOSE = "standing";

export const standingToken = (house: House, personId: string): string => house.sealer.seal(PURPOSE, { personId }, house.now());

/** The person of a standing token, limited by their sanction; null for an invalid or old token. */
export async function standingOf(house: House, token: string): Promise<SignedIn | null> {
  const sealed = house.sealer.unseal<{ personId: string }>(PURPOSE, token, house.now(), LEADS);
  if (!sealed) return null;
  const person = await maybeOne(
    house.database.db,
    sql<Pick<SignedIn, "id" | "role" | "trust">>`
      select id, site_role as role, trust from people where id = ${sealed.personId} and state in ('active', 'limited', 'suspended')`,
  );
  return person ? { ...person, limited: true } : null;
}

type Account = { state: string; reason: string | null; until: Date | null };
export type StatusTold = { id: string; personId: string; state: string; lifted: boolean; at: Date };
export type AppealTold = { id: string; personId: string; reportId: string };

/**
 * Mails a person the decision about their account, once per domain event. Nothing is sent if the status has
 * changed again: a later email covers that.
 */
export const tellOfStatus = (house: House, { id, personId, state, lifted, at }: StatusTold): Promise<void> =>
  house.inTransaction(async (tx) => {
    const account = await maybeOne(
      tx,
      sql<Account>`select state, state_reason as reason, state_until as until from people where id = ${personId}`,
    );
    if (account?.state !== state) return;
    const name = `status.${id}`;
    if (state === "active" && !lifted) return;
    if (state === "active") {
      const reason = (await answerTo(tx, personId, sql`resolved_at = ${at} and outcome = 'upheld'`))?.answer;
      return write(tx, "sanctionOver", personId, { name, reason, link: links.login(house) });
    }
    const { reason, until } = account;
    const link = links.standing(house, standingToken(house, personId));
    await write(tx, state === "suspended" ? "suspended" : "limited", personId, { name, link, reason: reason ?? "", until });
  });

/** Mails a person that their appeal was declined, and why; once per domain event. */
export const tellOfAppeal = (house: House, { id, personId, reportId }: AppealTold): Promise<void> =>
  house.inTransaction(async (tx) => {
    const answered = await answerTo(tx, personId, sql`r.id = ${reportId} and outcome = 'rejected'`);
    const account = await maybeOne(tx, sql<Pick<Account, "until">>`select state_until as until from people where id = ${personId}`);
    if (!answered || !account) return;
    await write(tx, "sanctionStays", personId, { name: `appeal.${id}`, reason: answered.answer, until: account.until });
  });

const answerTo = (tx: Tx, personId: string, which: ReturnType<typeof sql>) =>
  maybeOne(
    tx,
    sql<{
      answer: string;
    }>`select r.answer from reports r where r.person_id = ${personId} and r.reporter_id = r.person_id and r.appeal and ${which}`,
  );
