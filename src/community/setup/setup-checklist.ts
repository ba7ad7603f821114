import { type Db, one, sql, type Tx } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Settings, SiteSettings } from "#community/settings";

/** Tasks of a new community's admins. */
export type SetupChecklist = {
  isNamed: boolean;
  hasRules: boolean;
  /** The first group; null before there is one. */
  group: { slug: string } | null;
  hasInvited: boolean;
  /** `unset`: no mail server is configured. `failed`: the last attempt failed. */
  mail: "unset" | "untested" | "failed" | "works";
  /** Address that a test email goes to. */
  address: string | null;
  hasSecondStep: boolean;
};

type ChecklistFacts = Omit<SetupChecklist, "group" | "mail"> & {
  slug: string | null;
  sent: boolean;
  failed: boolean;
};

/** The checklist of an admin; null once everything is done or it is dismissed, and for everyone else. */
export async function getSetupChecklist(
  db: Db,
  viewer: Viewer,
  { setupChecklist }: Pick<SiteSettings, "setupChecklist">,
  { sendsMail }: { sendsMail: boolean },
): Promise<SetupChecklist | null> {
  if (!setupChecklist || viewer.role !== "admin") return null;
  const { slug, sent, failed, ...facts } = await one(
    db,
    sql<ChecklistFacts>`
      select exists (select from settings where key = 'name') as "isNamed",
        exists (select from settings where key = 'rules') as "hasRules",
        (select g.slug from groups g join memberships m on m.group_id = g.id and m.person_id = me.id
          where g.state = 'active' and m.state = 'member' order by g.created_at limit 1) as slug,
        exists (select from group_invitations where kind <> 'link' or uses > 0)
          or exists (select from people other
          where other.id <> me.id and other.state in ('active', 'limited')) as "hasInvited",
        exists (select from mails where person_id = me.id and sent_at is not null) as sent,
        exists (select from mails where person_id = me.id and failure is not null) as failed,
        me.email as address,
        me.passkey_step_at is not null or exists (select from passkeys k where k.person_id = me.id)
          or exists (select from totp_secrets t where t.person_id = me.id and t.confirmed_at is not null)
          as "hasSecondStep"
      from people me where me.id = ${viewer.id}`,
  );
  const mail = !sendsMail ? "unset" : sent ? "works" : failed ? "failed" : "untested";
  const checklist: SetupChecklist = { ...facts, group: slug === null ? null : { slug }, mail };
  return isDone(checklist) ? null : checklist;
}

const isDone = ({ isNamed, hasRules, group, hasInvited, mail, hasSecondStep }: SetupChecklist) =>
  isNamed && hasRules && group !== null && hasInvited && mail === "works" && hasSecondStep;

/**
 * Hides the checklist from all admins. The site settings show it again.
 * @throws `not-allowed` for all but admins
 */
export const dismissSetupChecklist = (tx: Tx, settings: Settings, viewer: Viewer): Promise<void> =>
  settings.set(tx, viewer, { setupChecklist: false });
