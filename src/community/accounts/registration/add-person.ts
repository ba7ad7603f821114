import { run, sql, type Tx } from "#platform/database";
import type { AccountState } from "../lifecycle/account-states.ts";

export type NewPerson = {
  id?: string;
  username: string;
  name: string;
  email?: string | null;
  emailConfirmed?: boolean;
  passwordHash?: string | null;
  role?: "member" | "moderator" | "admin";
  trust?: "new" | "established";
  state?: AccountState;
  locale?: string;
  /** Custom properties that API clients store for the person. */
  properties?: Record<string, unknown> | undefined;
};

/** Inserts a person without any checks, for registration, imports, demo data and tests. Returns the id. */
export async function addPerson(tx: Tx, person: NewPerson): Promise<string> {
  const {
    id = tx.newId(),
    email = null,
    state = "active",
    emailConfirmed = state === "active",
    passwordHash = null,
  } = person;
  await run(
    tx,
    sql`
    insert into people (id, username, display_name, email, email_confirmed_at, password_hash,
      password_changed_at, site_role, trust,
                        state, locale, properties, created_at, deactivated_at)
    values (${id}, ${person.username}, ${person.name}, ${email}, ${email && emailConfirmed ? tx.now : null},
      ${passwordHash},
            ${passwordHash ? tx.now : null}, ${person.role ?? "member"}, ${person.trust ?? "new"}, ${state},
            ${person.locale ?? "en"},
            ${JSON.stringify(person.properties ?? {})}::jsonb,
            ${tx.now}, ${state === "deactivated" ? tx.now : null})`,
  );
  return id;
}

/** The first two-letter language of an `Accept-Language` header, in lower case. */
export const parseLocale = (acceptLanguage: string) =>
  /^\s*([a-z]{2})/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? "en";
