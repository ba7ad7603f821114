import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import type { RegistrationStatement } from "../types.ts";

export const MAIL_LEVELS = ["important", "everything", "nothing"] as const;
export type MailLevel = (typeof MAIL_LEVELS)[number];
export const MAX_JOIN_REASON = 1_000;

/** Onboarding progress. */
export type OnboardingProgress = {
  welcomedAt: Date | null;
  /** Last step of the welcome tour that was reached; null before it has begun. */
  step: number | null;
  rulesAcceptedVersion: number | null;
  mailLevel: MailLevel;
  inGroups: boolean;
};

/** Onboarding progress of the viewer. Null for guests. */
export async function getOnboardingProgress(db: Db, viewer: Viewer): Promise<OnboardingProgress | null> {
  if (!isSignedIn(viewer)) return null;
  const row = await maybeOne(
    db,
    sql<OnboardingProgress>`
    select welcomed_at as "welcomedAt", welcome_step as step,
      rules_accepted_version as "rulesAcceptedVersion", mail_level as "mailLevel",
      exists (select from memberships m where m.person_id = people.id and m.state = 'member') as "inGroups"
    from people where id = ${viewer.id}`,
  );
  return row ?? null;
}

/**
 * Returns whether to show the welcome tour at sign-in. People who are in a group do not get it, unless they
 * joined during the tour.
 */
export const needsWelcome = (arrival: OnboardingProgress | null): boolean =>
  arrival !== null && arrival.welcomedAt === null && (!arrival.inGroups || arrival.step !== null);

/**
 * Records a step of the tour, from which it continues later. Going back changes nothing. A person who was in
 * a group before starting has no tour.
 */
export async function saveWelcomeStep(tx: Tx, viewer: SignedIn, step: number): Promise<void> {
  await run(
    tx,
    sql`update people set welcome_step = greatest(welcome_step, ${step}::smallint)
      where id = ${viewer.id} and welcomed_at is null
          and (welcome_step is not null
            or not exists (select from memberships m where m.person_id = people.id and m.state = 'member'))`,
  );
}

/** Stores the join reason and the accepted rules version of a registration. */
export async function recordRegistrationStatement(
  tx: Tx,
  personId: string,
  registrationStatement: RegistrationStatement,
): Promise<void> {
  await run(
    tx,
    sql`
    update people set join_reason = ${registrationStatement.reason.slice(0, MAX_JOIN_REASON)},
      rules_accepted_at = ${tx.now}, rules_accepted_version = ${registrationStatement.rulesVersion}
    where id = ${personId} and state in ('unverified', 'pending_approval', 'active')
      and rules_accepted_at is null`,
  );
}

/** Records that the viewer accepts this version of the site's rules. Refuses nothing. */
export async function acceptRules(tx: Tx, viewer: SignedIn, version: number): Promise<void> {
  await run(
    tx,
    sql`update people set rules_accepted_at = ${tx.now}, rules_accepted_version = ${version}
      where id = ${viewer.id}`,
  );
}

export async function setMailLevel(tx: Tx, viewer: SignedIn, level: MailLevel): Promise<void> {
  await run(tx, sql`update people set mail_level = ${level} where id = ${viewer.id}`);
}

/** Marks the tour as finished or skipped, so that it does not start again. */
export async function finishWelcome(tx: Tx, viewer: SignedIn): Promise<void> {
  await run(
    tx,
    sql`update people set welcomed_at = ${tx.now} where id = ${viewer.id} and welcomed_at is null`,
  );
}
