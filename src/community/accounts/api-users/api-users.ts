import { type Db, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { isSignedIn, personRules, type Viewer } from "#community/rules";
import { rolesColumn } from "../sessions/sessions.ts";
import type { AccountState } from "../lifecycle/account-states.ts";
import { blockedEitherWay, isPersonVisible } from "../profiles/people-visibility.ts";

/** A person as API clients see them. `own` is null where the viewer lacks permission. */
export type ApiUser = {
  id: string;
  username: string;
  name: string;
  createdAt: Date;
  updatedAt: Date | null;
  /** Account data, for the person themselves and for admins. */
  own: {
    roles: string[];
    email: string | null;
    state: AccountState;
    locale: string;
    seenAt: Date | null;
    /** Sign-in provider of the account, if any. */
    provider: string | null;
    properties: Record<string, unknown>;
  } | null;
  /** Custom properties that the viewer may read although `own` is null. */
  shared?: Record<string, unknown>;
};

type Row = Omit<ApiUser, "own" | "shared"> & NonNullable<ApiUser["own"]>;

const apiUserColumns = sql`
  p.id, p.username, p.display_name as name, p.created_at as "createdAt", p.updated_at as "updatedAt",
  ${rolesColumn("p")} as roles,
  p.email, p.state, p.locale, p.seen_at as "seenAt", p.properties,
  (select i.provider from provider_identities i where i.person_id = p.id order by i.linked_at
    limit 1) as provider`;

function toApiUser(viewer: Viewer, row: Row): ApiUser {
  const { roles, email, state, locale, seenAt, provider, properties, ...all } = row;
  const open = viewer.id === row.id || personRules.edit(viewer, row);
  return { ...all, own: open ? { roles, email, state, locale, seenAt, provider, properties } : null };
}

export const unknownUser = (id: string) =>
  new Refusal("not-found", msg("Entity with ID {id} not found", { id: id.slice(0, 100) }), {
    kind: "object-not-found",
  });

/**
 * Returns the viewer's own account, even for guests of an API client; admins get any account.
 * @throws `not-found` for others
 */
export async function getApiUser(db: Db, viewer: Viewer, id: string): Promise<ApiUser> {
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<Row>`select ${apiUserColumns} from people p
          where p.id = ${id} and p.state not in ('erased', 'ghost', 'bot')`,
      )
    : undefined;
  const user = row && toApiUser(viewer, row);
  if (!user?.own) throw unknownUser(id);
  return user;
}

/**
 * Condition that the person has a role. Admins can query all people, members only people in the directory.
 * Members may query only one of the system roles, since the others reveal the sign-in provider.
 * @throws `not-signed-in` for guests
 */
export function hasRoleCondition(
  viewer: Viewer,
  role: string,
  personId: ReturnType<typeof sql<unknown>>,
): ReturnType<typeof sql<unknown>> {
  if (!isSignedIn(viewer) && viewer.role !== "admin")
    throw new Refusal("not-signed-in", "Sign in to see the members.");
  const shown =
    viewer.role === "admin"
      ? sql`p.state in ('active', 'limited', 'suspended')`
      : sql`p.state in ('active', 'limited') and ${isPersonVisible(viewer, "p")}
        and not ${blockedEitherWay(viewer, "p")}
          and (p.id = ${viewer.id} or coalesce((p.privacy ->> 'inDirectory')::boolean, true))`;
  const bySystem =
    viewer.role === "admin"
      ? sql`${role} = any(${rolesColumn("p")}::text[])`
      : sql`${role} = 'AuthenticatedUser'`;
  return sql`exists (select from people p where p.id = ${personId} and ${shown}
    and (exists (select 1 from person_roles r where r.role = ${role} and r.person_id = p.id)
      or (not exists (select 1 from roles where name = ${role}) and ${bySystem})))`;
}

/**
 * People by ids, each with what the viewer may know. Checking whether the viewer may find them is up to the
 * caller.
 */
export async function listApiUsers(db: Db, viewer: Viewer, ids: string[]): Promise<Map<string, ApiUser>> {
  const rows = await many(
    db,
    sql<Row>`select ${apiUserColumns} from people p where p.id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, toApiUser(viewer, row)]));
}

/** A person by id, address or username; undefined if unknown. */
export async function findPersonByIdentifier(
  db: Db,
  identity: string,
): Promise<{ id: string; email: string | null; state: AccountState } | undefined> {
  const name = identity.trim().toLowerCase().slice(0, 400);
  const which = isId(name)
    ? sql`id = ${name}`
    : name.includes("@")
      ? sql`lower(email) = ${name}`
      : sql`username = ${name}`;
  return maybeOne(
    db,
    sql`select id, email, state from people where ${which} and state not in ('erased', 'ghost', 'bot')`,
  );
}
