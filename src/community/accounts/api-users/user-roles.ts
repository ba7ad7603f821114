import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { personRules, type Viewer } from "#community/rules";
import { rolesColumn } from "../sessions/sessions.ts";
import { unknownUser, findPersonByIdentifier } from "./api-users.ts";

/** Roles that the system assigns: by identity, by sign-in provider, by API key. */
export const SYSTEM_ROLES = [
  "AuthenticatedUser",
  "NotAuthenticatedUser",
  "SocialUser",
  "FacebookUser",
  "GooglePlusUser",
  "TwitterUser",
  "JSUser",
  "RestUser",
  "AndroidUser",
  "IOSUser",
  "DotNetUser",
  "ASUser",
  "ServerCodeUser",
] as const;

/** Maximum number of custom roles. */
const MAX_ROLES = 200;
const ROLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const isSystemRole = (role: string) => (SYSTEM_ROLES as readonly string[]).includes(role);
export const unknownRole = (role: string) =>
  new Refusal("not-found", msg("Role ''{role}'' does not exist.", { role: role.slice(0, 80) }), {
    kind: "role-not-found",
  });

function assertCanManageRoles(viewer: Viewer) {
  if (!personRules.runRoles(viewer))
    throw new Refusal("not-allowed", "Only admins, and API clients with the server key, can do this.");
}

/**
 * Custom roles by name.
 * @throws `not-allowed` for all but admins
 */
export async function listCustomRoles(db: Db, viewer: Viewer): Promise<{ name: string; people: number }[]> {
  assertCanManageRoles(viewer);
  return many(
    db,
    sql<{ name: string; people: number }>`
    select name, (select count(*)::int from person_roles where role = name) as people from roles
    order by name`,
  );
}

/**
 * Creates a role; an existing role stays unchanged.
 * @throws `invalid` for an invalid name
 */
export async function createRole(tx: Tx, viewer: Viewer, name: string): Promise<void> {
  assertCanManageRoles(viewer);
  if (!ROLE_NAME.test(name) || isSystemRole(name))
    throw new Refusal(
      "invalid",
      "A role name has letters, digits and underscores, and is not a system role.",
      {
        fields: { name: "Letters, digits and underscores, beginning with a letter, at most 64." },
      },
    );
  const room = await maybeOne(tx, sql`select 1 from roles having count(*) < ${MAX_ROLES}`);
  if (!room) throw new Refusal("conflict", msg("There can be at most {count} roles.", { count: MAX_ROLES }));
  const made = await run(
    tx,
    sql`insert into roles (name, created_at) values (${name}, ${tx.now}) on conflict do nothing`,
  );
  if (made > 0) await writeAudit(tx, viewer, { act: "role.created", kind: "role", id: name });
}

/**
 * Deletes a role and its assignments.
 * @throws `not-found` for unknown and system roles
 */
export async function deleteRole(tx: Tx, viewer: Viewer, name: string): Promise<void> {
  assertCanManageRoles(viewer);
  if ((await run(tx, sql`delete from roles where name = ${name}`)) === 0) throw unknownRole(name);
  await writeAudit(tx, viewer, { act: "role.deleted", kind: "role", id: name });
  await emit(tx, { type: "role.deleted", role: name });
}

type RoleAssignment = { identity: string; role: string };

/**
 * Assigns a role to a person named by id, address or username.
 * @throws `not-allowed` for all but admins and for system roles, `not-found` for an unknown role or person
 */
export async function assignRole(tx: Tx, viewer: Viewer, { identity, role }: RoleAssignment): Promise<void> {
  const personId = await getAssignee(tx, viewer, { identity, role }, "system-role-assigned");
  const given = await run(
    tx,
    sql`insert into person_roles (role, person_id, given_at) values (${role}, ${personId}, ${tx.now})
      on conflict do nothing`,
  );
  if (given > 0) await recordRoleChange(tx, viewer, "role.assigned", personId, role);
}

/**
 * Removes a role from a person; does nothing if they lack it.
 * @throws like `assignRole`
 */
export async function unassignRole(
  tx: Tx,
  viewer: Viewer,
  { identity, role }: RoleAssignment,
): Promise<void> {
  const personId = await getAssignee(tx, viewer, { identity, role }, "system-role-unassigned");
  const taken = await run(tx, sql`delete from person_roles where role = ${role} and person_id = ${personId}`);
  if (taken > 0) await recordRoleChange(tx, viewer, "role.revoked", personId, role);
}

async function getAssignee(
  tx: Tx,
  viewer: Viewer,
  { identity, role }: RoleAssignment,
  kind: string,
): Promise<string> {
  assertCanManageRoles(viewer);
  if (isSystemRole(role))
    throw new Refusal(
      "not-allowed",
      msg("''{role}'' is a system role and is assigned automatically.", { role }),
      { kind },
    );
  if (!(await maybeOne(tx, sql`select 1 from roles where name = ${role} for share`))) throw unknownRole(role);
  const person = await findPersonByIdentifier(tx, identity);
  if (!person) throw unknownUser(identity);
  return person.id;
}

async function recordRoleChange(tx: Tx, viewer: Viewer, type: string, personId: string, role: string) {
  await writeAudit(tx, viewer, { act: type, kind: "person", id: personId, details: { role } });
  await emit(tx, { type, personId, role, by: viewer.id });
}

/**
 * A person's roles, including system ones: for themselves and for admins.
 * @throws `not-found` for others
 */
export async function listRolesOfPerson(db: Db, viewer: Viewer, identity: string): Promise<string[]> {
  const person = await findPersonByIdentifier(db, identity);
  if (!person || (viewer.id !== person.id && !personRules.runRoles(viewer))) throw unknownUser(identity);
  return (await maybeOne(
    db,
    sql<{ roles: string[] }>`select ${rolesColumn("p")} as roles from people p where p.id = ${person.id}`,
  ))!.roles;
}
