import { DAY, HOUR, later, MINUTE } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf, isId, newSecret } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import type { SignedIn, Viewer } from "#community/rules";
import { placeHash } from "./allowances.ts";
import { deviceOf } from "./devices.ts";
import { lacksAnswers } from "./fields/answers.ts";
import type { Door, From, Present, Program, Self, SessionLine } from "./door.ts";
import type { House } from "./house.ts";

/** Per person and session kind. */
const MOST_SESSIONS = 10;
/** Long enough for a handshake; a page requests a new one each time. */
const TICKET_LASTS = MINUTE;
const lasts = (stay: boolean) => (stay ? 60 * DAY : 24 * HOUR);

type Wanted = { personId: string; door: Door; stay: boolean; from: From };

/** Starts a session; of more than ten per kind the longest idle one ends. */
export async function startSession(tx: Tx, { personId, door, stay, from }: Wanted) {
  const session = { id: tx.newId(), token: newSecret(), personId, stay, expiresAt: later(tx.now, lasts(stay)) };
  await run(
    tx,
    sql`
    insert into sessions (id, token_hash, person_id, door, stay, device, address_hash, created_at, seen_at, expires_at)
    values (${session.id}, ${hashOf(session.token)}, ${personId}, ${door}, ${stay}, ${deviceOf(from.userAgent)}, ${placeHash(from.address)},
            ${tx.now}, ${tx.now}, ${session.expiresAt})`,
  );
  await endSessionsWhere(
    tx,
    personId,
    sql`id in (
    select id from sessions where person_id = ${personId} and door = ${door} order by seen_at desc, id desc offset ${MOST_SESSIONS})`,
  );
  return session;
}

/** Ends some of a person's sessions and emits their ids, so that their sockets close too. */
export async function endSessionsWhere(tx: Tx, personId: string, which = sql`true`): Promise<void> {
  const ended = await many(tx, sql<{ id: string }>`delete from sessions where person_id = ${personId} and ${which} returning id`);
  if (ended.length > 0) await announce(tx, { type: "person.sessions-ended", personId, sessionIds: ended.map(({ id }) => id).join(",") });
}

type Row = Self & {
  lacksAnswers: boolean;
  secured: boolean;
  role: "member" | "moderator" | "admin";
  trust: Viewer["trust"];
  stateUntil: Date | null;
  sessionId: string;
  stay: boolean;
  startedAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

export const sessionFor = (house: House, token: string, door: Door): Promise<Present | null> =>
  sessionWhere(house, sql`s.token_hash = ${hashOf(token)} and s.door = ${door}`);

/**
 * Ticket that a page sends to its socket instead of the cookie, which it cannot read. It opens only a socket,
 * for a minute.
 */
export const socketTicket = (house: House, sessionId: string): string => house.sealer.seal("socket", { sessionId }, house.now());

/** The identity of a ticket, while its session lives. */
export async function sessionByTicket(house: House, ticket: string): Promise<Present | null> {
  const sealed = house.sealer.unseal<{ sessionId: string }>("socket", ticket, house.now(), TICKET_LASTS);
  return sealed && sessionWhere(house, sql`s.id = ${sealed.sessionId}`);
}

/** The identity of a live session, for something that was created in it and proves that elsewhere. */
export const sessionById = (house: House, id: string): Promise<Present | null> => sessionWhere(house, sql`s.id = ${id}`);

export const liveSessions = async (house: House, ids: string[]): Promise<Set<string>> =>
  new Set(
    (
      await many(
        house.database.db,
        sql<{
          id: string;
        }>`select s.id from sessions s join people p on p.id = s.person_id where s.id = any(${ids}::uuid[]) and ${stands(house.now())}`,
      )
    ).map(({ id }) => id),
  );

/** Returns those people who are admins now and may act as such. */
export const adminsAmong = async (house: House, ids: string[]): Promise<Set<string>> => {
  const { staffNeedSecondStep } = await house.settings.get();
  const found = sql<{ id: string }>`
    select p.id from people p where p.id = any(${ids}::uuid[]) and p.site_role = 'admin' and p.state = 'active'
      and (not ${staffNeedSecondStep}::boolean or ${secured})`;
  return new Set((await many(house.database.db, found)).map(({ id }) => id));
};

/** `p` has two-factor enabled; always true for people who are not staff. */
const secured = sql<boolean>`
  (p.site_role = 'member' or p.passkey_step_at is not null or exists (select from totp_secrets t where t.person_id = p.id and t.confirmed_at is not null))`;

/** Where staff need two-factor, those without it have only a member's permissions. */
const restsAsStaff = async ({ settings }: House, { secured: twoSteps }: Pick<Row, "secured">): Promise<boolean> =>
  !twoSteps && (await settings.get()).staffNeedSecondStep;

/** `s` is the session and `p` its person. */
const stands = (now: Date) => sql`s.expires_at > ${now} and p.state in ('active', 'limited', 'guest')`;

/** System roles of people from sign-in providers, by the names of the API. */
const OF_PROVIDERS = sql`case i.provider when 'facebook' then 'FacebookUser' when 'google' then 'GooglePlusUser'
  when 'googleplus' then 'GooglePlusUser' when 'twitter' then 'TwitterUser' else 'SocialUser' end`;

/** Assigned and system roles of the person `p`, by the names of the API. */
export const rolesColumn = sql<string[]>`(
  select coalesce(array_agg(distinct it.role), '{}') from (
    select r.role from person_roles r where r.person_id = p.id
    union all select 'SocialUser' from identities i where i.person_id = p.id
    union all select ${OF_PROVIDERS} from identities i where i.person_id = p.id
    union all select case p.state when 'guest' then 'NotAuthenticatedUser' else 'AuthenticatedUser' end) it)`;

/** Person and roles of an API session token, in one query. */
export const programFor = (house: House, token: string): Promise<Program | null> =>
  programWhere(house, sql`s.token_hash = ${hashOf(token)} and s.door = 'wire'`);

/** Person and roles of a session of either kind. */
export const programOfSession = (house: House, id: string): Promise<Program | null> => programWhere(house, sql`s.id = ${id}`);

async function programWhere(house: House, which: ReturnType<typeof sql>): Promise<Program | null> {
  const row = await rowWhere(house, which, sql`, ${rolesColumn} as roles`);
  return row && { ...(await presentOf(house, row)), roles: (row as Row & { roles: string[] }).roles };
}

/**
 * A person as an API client would act for them, without a session: for work that runs later. Null for
 * accounts that are gone or suspended.
 */
export async function programAs(house: House, personId: string): Promise<Pick<Program, "viewer" | "roles"> | null> {
  if (!isId(personId)) return null;
  const row = await maybeOne(
    house.database.db,
    sql<Standing & Pick<Row, "secured"> & { roles: string[] }>`
      select p.id, p.site_role as role, p.trust, p.state, p.state_until as "stateUntil", ${secured} as secured, ${rolesColumn} as roles
      from people p where p.id = ${personId} and p.state in ('active', 'limited', 'guest')`,
  );
  return row ? { viewer: viewerOf(row, house.now(), await restsAsStaff(house, row)), roles: row.roles } : null;
}

type Standing = Pick<Row, "id" | "role" | "trust" | "state" | "stateUntil">;

const viewerOf = ({ id, role, trust, state, stateUntil }: Standing, now: Date, rests: boolean): Viewer => ({
  id,
  role: state === "guest" ? "guest" : rests ? "member" : role,
  trust,
  limited: state === "limited" && (stateUntil === null || stateUntil > now),
});

async function sessionWhere(house: House, which: ReturnType<typeof sql>): Promise<Present | null> {
  const row = await rowWhere(house, which);
  return row && presentOf(house, row);
}

async function rowWhere(house: House, which: ReturnType<typeof sql>, more = sql``): Promise<Row | null> {
  const now = house.now();
  const row = await maybeOne(
    house.database.shared,
    sql<Row>`
    select s.id as "sessionId", s.stay, s.created_at as "startedAt", s.seen_at as "seenAt", s.expires_at as "expiresAt",
      p.id, p.display_name as name, p.username, p.email, p.locale, p.time_zone as "timeZone", p.theme, p.photo_id as "photoId",
      p.site_role as role, p.trust, p.state, p.state_until as "stateUntil", p.created_at as "createdAt", ${secured} as secured, ${lacksAnswers} as "lacksAnswers"${more}
    from sessions s join people p on p.id = s.person_id
    where ${which} and ${stands(now)}`,
  );
  if (!row) return null;
  if (now.getTime() - row.seenAt.getTime() > MINUTE) touch(house, row, now);
  return row;
}

async function presentOf(house: House, row: Row): Promise<Present> {
  const staffRests = await restsAsStaff(house, row);
  const { id, name, username, email, locale, timeZone, theme, photoId, state, createdAt } = row;
  return {
    viewer: viewerOf(row, house.now(), staffRests),
    staffRests,
    person: { id, name, username, email, locale, timeZone, theme, photoId, state, createdAt },
    lacksAnswers: row.lacksAnswers,
    session: { id: row.sessionId, stay: row.stay, createdAt: row.startedAt, expiresAt: row.expiresAt },
  };
}

/** Records the visit without delaying the request; a lost one does no harm. */
function touch(house: House, { sessionId, id, stay }: Row, now: Date) {
  if (house.touching.has(sessionId)) return;
  house.touching.add(sessionId);
  const visit = sql`
    with visit as (update sessions set seen_at = ${now}, expires_at = ${later(now, lasts(stay))} where id = ${sessionId})
    update people set seen_at = ${now} where id = ${id} and (seen_at is null or seen_at < ${now})`;
  run(house.database.db, visit)
    .catch(() => 0)
    .finally(() => house.touching.delete(sessionId));
}

export const signOut = (house: House, token: string, door: Door): Promise<void> =>
  house.inTransaction(async (tx) => {
    const session = await maybeOne(
      tx,
      sql<{ id: string; personId: string }>`
      select id, person_id as "personId" from sessions where token_hash = ${hashOf(token)} and door = ${door}`,
    );
    if (session) await endSessionsWhere(tx, session.personId, sql`id = ${session.id}`);
  });

export const sessionsOf = (house: House, viewer: SignedIn): Promise<SessionLine[]> =>
  many(
    house.database.db,
    sql<SessionLine>`
    select id, door, device, stay, created_at as "createdAt", seen_at as "seenAt" from sessions
    where person_id = ${viewer.id} and expires_at > ${house.now()} order by seen_at desc, id desc`,
  );

export const endSession = (house: House, viewer: SignedIn, sessionId: string): Promise<void> =>
  house.inTransaction(async (tx) => {
    const own = isId(sessionId) && (await maybeOne(tx, sql`select 1 from sessions where id = ${sessionId} and person_id = ${viewer.id}`));
    if (!own) throw notFound();
    await endSessionsWhere(tx, viewer.id, sql`id = ${sessionId}`);
  });

export const endOtherSessions = (house: House, viewer: SignedIn, keepSessionId: string | null): Promise<void> =>
  house.inTransaction((tx) => endSessionsWhere(tx, viewer.id, others(keepSessionId)));

/** All sessions but the current one. */
export const others = (keepSessionId: string | null) => sql`id is distinct from ${keepSessionId}::uuid`;
