import type { Database } from "#platform/database";
import { many, run, sql, type Tx } from "#platform/database";
import { createGroup, type NewGroup } from "#community/groups";
import { NewDiscussion, NewReply, reply, startDiscussion } from "#community/discussions";
import { defaultSettings } from "#community/settings";
import { GUEST, type SignedIn, type Viewer, type Visibility } from "#community/rules";
import type { z } from "zod";

export type TestUserName = "mira" | "tomas" | "ines" | "ada" | "noor";
const ROLES: Record<TestUserName, SignedIn["role"]> = {
  mira: "member",
  tomas: "member",
  ines: "moderator",
  ada: "admin",
  noor: "member",
};

export type TestUsers = Record<TestUserName, SignedIn> & { guest: Viewer };

/**
 * Creates the people of all tests: Mira is an active member, Tomas owns groups, Ines moderates the site, Ada
 * is the admin, and Noor is a stranger. All but the guest are stored in the database. Rate limits are turned
 * off: the clock does not move, so they would never expire.
 */
export async function createTestUsers(database: Database): Promise<TestUsers> {
  const names = Object.keys(ROLES) as TestUserName[];
  const people = await database.inTransaction(async (tx) => {
    await run(
      tx,
      sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', ${tx.now})
        on conflict do nothing`,
    );
    return Promise.all(names.map((name) => createPerson(tx, name, ROLES[name])));
  });
  return {
    ...(Object.fromEntries(names.map((name, i) => [name, people[i]])) as Record<TestUserName, SignedIn>),
    guest: GUEST,
  };
}

/** Creates one more person. */
export async function createPerson(
  tx: Tx,
  username: string,
  role: SignedIn["role"] = "member",
  trust: Viewer["trust"] = "established",
): Promise<SignedIn> {
  const id = tx.newId();
  await run(
    tx,
    sql`insert into people (id, username, display_name, email, site_role, trust, state, created_at)
        values (${id}, ${username}, ${username[0]!.toUpperCase() + username.slice(1)},
          ${`${username}@example.org`}, ${role}, ${trust}, 'active', ${tx.now})`,
  );
  return { id, role, trust, limited: false };
}

type GroupOptions = Partial<z.output<typeof NewGroup>> & { visibility?: Visibility };

/** Creates a group owned by Tomas with Mira in it; public and open by default. */
export async function createTestGroup(
  database: Database,
  { tomas, mira }: Pick<TestUsers, "tomas" | "mira">,
  groupOptions: GroupOptions = {},
) {
  const visibility = groupOptions.visibility ?? "public";
  const joinPolicy =
    groupOptions.joinPolicy ??
    ({ public: "open", private: "request", secret: "invite" } as const)[visibility];
  const defaults = {
    name: "The Long Beds",
    purpose: "",
    about: "",
    topic: "",
    rules: [],
    questions: [],
    headerStyle: "meadow",
    historyPolicy: "shared" as const,
  };
  const group = await database.inTransaction((tx) =>
    createGroup(tx, tomas, { ...defaults, ...groupOptions, visibility, joinPolicy }, defaultSettings),
  );
  await database.inTransaction((tx) => setMembership(tx, group.id, mira, "member"));
  return group;
}

type MembershipStatus =
  | "requested"
  | "invited"
  | "member"
  | "moderator"
  | "owner"
  | "banned"
  | "left"
  | "declined";

/** Sets a person's membership status directly, without any checks. */
export async function setMembership(
  tx: Tx,
  groupId: string,
  who: SignedIn,
  standing: MembershipStatus,
): Promise<void> {
  const inside = ["member", "moderator", "owner"].includes(standing);
  await run(
    tx,
    sql`insert into memberships (group_id, person_id, state, role, joined_at, changed_at)
        values (${groupId}, ${who.id}, ${inside ? "member" : standing}, ${inside ? standing : "member"},
          ${inside ? tx.now : null}, ${tx.now})
        on conflict (group_id, person_id) do update set state = excluded.state, role = excluded.role,
          joined_at = coalesce(excluded.joined_at, memberships.joined_at)`,
  );
  await run(
    tx,
    sql`update groups set members_count = (select count(*) from memberships
      where group_id = ${groupId} and state = 'member') where id = ${groupId}`,
  );
}

/** Creates a discussion in a group. */
export const createTestDiscussion = (
  database: Database,
  by: SignedIn,
  groupId: string,
  words: Partial<z.input<typeof NewDiscussion>> = {},
) =>
  database.inTransaction((tx) =>
    startDiscussion(
      tx,
      by,
      NewDiscussion.parse({ groupId, title: "When to sow beans", body: "The soil is still cold.", ...words }),
    ),
  );

export const createTestReply = (
  database: Database,
  by: SignedIn,
  discussionId: string,
  words: Partial<z.input<typeof NewReply>> = {},
) =>
  database.inTransaction((tx) =>
    reply(tx, by, NewReply.parse({ discussionId, body: "After the ice saints.", ...words })),
  );

/** Returns the types of the emitted domain events, oldest first. */
export const listEmittedEvents = async (database: Database): Promise<string[]> =>
  (await many(database.db, sql<{ type: string }>`select type from outbox order by id`)).map(
    ({ type }) => type,
  );
