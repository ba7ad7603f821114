import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { personRules, type Privacy, privacyDefaults, type Viewer } from "#community/rules";

/** Account details for settings pages. */
export type Account = {
  id: string;
  username: string;
  name: string;
  email: string | null;
  emailConfirmedAt: Date | null;
  hasPassword: boolean;
  passwordChangedAt: Date | null;
  role: "member" | "moderator" | "admin";
  state: string;
  locale: string;
  timeZone: string;
  theme: "system" | "light" | "dark";
  privacy: Privacy;
  /**
   * Second factors required after the password: an app code (`secondStep`), a passkey (`passkeyStep`), or
   * either.
   */
  secondStep: boolean;
  passkeyStep: boolean;
  recoveryCodesLeft: number;
  /** Null if the username can be changed now. */
  usernameChangeableAt: Date | null;
  providers: { provider: string; email: string | null; linkedAt: Date }[];
};

type Row = Omit<Account, "privacy" | "providers" | "usernameChangeableAt"> & {
  privacy: Partial<Privacy>;
  usernameChangedAt: Date | null;
};

/**
 * The account of a person, for its owner and for admins.
 * @throws `not-found` for others
 */
export async function getAccount(db: Db, viewer: Viewer, personId: string): Promise<Account> {
  if (!isId(personId) || !personRules.edit(viewer, { id: personId.toLowerCase() })) throw notFound();
  const row = await maybeOne(
    db,
    sql<Row>`
    select id, username, display_name as name, email, email_confirmed_at as "emailConfirmedAt",
      password_hash is not null as "hasPassword",
      password_changed_at as "passwordChangedAt", site_role as role, state, locale, time_zone as "timeZone",
      theme, privacy,
      username_changed_at as "usernameChangedAt",
      exists (select 1 from totp_secrets t
        where t.person_id = people.id and t.confirmed_at is not null) as "secondStep",
          passkey_step_at is not null as "passkeyStep",
      (select count(*)::int from recovery_codes c
        where c.person_id = people.id and c.used_at is null) as "recoveryCodesLeft"
    from people where id = ${personId}`,
  );
  if (!row) throw notFound();
  const providers = await many(
    db,
    sql<Account["providers"][number]>`
    select provider, email, linked_at as "linkedAt" from provider_identities where person_id = ${personId}
    order by provider`,
  );
  const { usernameChangedAt, privacy, ...account } = row;
  const usernameChangeableAt = usernameChangedAt && addMilliseconds(usernameChangedAt, 30 * DAY);
  return { ...account, privacy: { ...privacyDefaults, ...privacy }, usernameChangeableAt, providers };
}
