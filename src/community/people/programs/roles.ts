import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { audit } from "#community/audit";
import { personRules, type Viewer } from "#community/rules";
import { rolesColumn } from "../sessions.ts";
import { noSuchUser, personNamed } from "./users.ts";

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
const MOST = 200;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const isSystem = (role: string) => (SYSTEM_ROLES as readonly string[]).includes(role);
export const noSuchRole = (role: string) =>
  new Refusal("not-found", `Role '${role.slice(0, 80)}' does not exist.`, { kind: "role-not-found" });

function assertRuns(viewer: Viewer) {
  if (!personRules.runRoles(viewer)) throw new Refusal("not-allowed", "Only admins, and programs with the server key, do that.");
}

/**
 * Custom roles by name.
 * @throws `not-allowed` for all but admins
 */
export async function ownRoles(db: Db, viewer: Viewer): Promise<{ name: string; people: number }[]> {
  assertRuns(viewer);
  return many(
    db,
    sql<{ name: string; people: number }>`
    select name, (select count(*)::int from person_roles where role = name) as people from roles order by name`,
  );
}

/**
 * Creates a role; an existing one stays.
 * @throws `invalid` for an invalid name
 */
export async function makeRole(tx: Tx, viewer: Viewer, name: string): Promise<void> {
  assertRuns(viewer);
  if (!NAME.test(name) || isSystem(name))
    throw new Refusal("invalid", "A role is called by letters, digits and underscores, and not as those of the system.", {
      fields: { name: "Letters, digits and underscores, the first a letter; up to 64." },
    });
  const room = await maybeOne(tx, sql`select 1 from roles having count(*) < ${MOST}`);
  if (!room) throw new Refusal("conflict", `There are ${MOST} roles at the most.`);
  const made = await run(tx, sql`insert into roles (name, created_at) values (${name}, ${tx.now}) on conflict do nothing`);
  if (made > 0) await audit(tx, viewer, { act: "role.made", kind: "role", id: name });
}

/**
 * Deletes a role and its assignments.
 * @throws `not-found` for unknown and system roles
 */
export async function dropRole(tx: Tx, viewer: Viewer, name: string): Promise<void> {
  assertRuns(viewer);
  if ((await run(tx, sql`delete from roles where name = ${name}`)) === 0) throw noSuchRole(name);
  await audit(tx, viewer, { act: "role.dropped", kind: "role", id: name });
  await announce(tx, { type: "role.dropped", role: name });
}

type Given = { identity: string; role: string };

/**
 * Assigns a role to a person named by id, address or username.
 * @throws `not-allowed` for all but admins and for system roles, `not-found` for an unknown role or person
 */
export async function giveRole(tx: Tx, viewer: Viewer, { identity, role }: Given): Promise<void> {
  const personId = await giveable(tx, viewer, { identity, role }, "system-role-assigned");
  const given = await run(
    tx,
    sql`insert into person_roles (role, person_id, given_at) values (${role}, ${personId}, ${tx.now}) on conflict do nothing`,
  );
  if (given > 0) await noted(tx, viewer, "role.given", personId, role);
}

/**
 * Removes a role from a person; does nothing if they lack it.
 * @throws like `assignRole`
 */
export async function takeRole(tx: Tx, viewer: Viewer, { identity, role }: Given): Promise<void> {
  const personId = await giveable(tx, viewer, { identity, role }, "system-role-unassigned");
  const taken = await run(tx, sql`delete from person_roles where role = ${role} and person_id = ${personId}`);
  if (taken > 0) await noted(tx, viewer, "role.taken", personId, role);
}

async function giveable(tx: Tx, viewer: Viewer, { identity, role }: Given, kind: string): Promise<string> {
  assertRuns(viewer);
  if (isSystem(role)) throw new Refusal("not-allowed", `'${role}' is a role of the system: it is given by what somebody does.`, { kind });
  if (!(await maybeOne(tx, sql`select 1 from roles where name = ${role} for share`))) throw noSuchRole(role);
  const person = await personNamed(tx, identity);
  if (!person) throw noSuchUser(identity);
  return person.id;
}

async function noted(tx: Tx, viewer: Viewer, type: string, personId: string, role: string) {
  await audit(tx, viewer, { act: type, kind: "person", id: personId, details: { role } });
  await announce(tx, { type, personId, role, by: viewer.id });
}

/**
 * A person's roles, including system ones: for themselves and for admins.
 * @throws `not-found` for others
 */
export async function rolesOf(db: Db, viewer: Viewer, identity: string): Promise<string[]> {
  const person = await personNamed(db, identity);
  if (!person || (viewer.id !== person.id && !personRules.runRoles(viewer))) throw noSuchUser(identity);
  return (await maybeOne(db, sql<{ roles: string[] }>`select ${rolesColumn} as roles from people p where p.id = ${person.id}`))!.roles;
}
