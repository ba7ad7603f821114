import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret, isId, createSecret } from "#platform/ids";
import { emit } from "#platform/outbox";
import type { Viewer } from "#community/rules";
import { hashNetwork } from "../account-limits.ts";
import { describeDevice } from "./known-devices.ts";
import { lacksAnswers } from "../profile-fields/profile-field-answers.ts";
import type { SessionKind, ClientInfo, SessionIdentity, ApiIdentity, SignedInPerson } from "../types.ts";
import type { AccountsContext, SessionsContext } from "../accounts-context.ts";

/** Maximum number of sessions per person and session kind. */
const MAX_SESSIONS = 10;
/** Lifetime of a ticket: enough for a handshake. A page requests a new ticket for each. */
const TICKET_LIFETIME = MINUTE;
const sessionLifetime = (stay: boolean) => (stay ? 60 * DAY : 24 * HOUR);

type NewSession = { personId: string; sessionKind: SessionKind; stay: boolean; from: ClientInfo };

/** Starts a session. Above ten sessions of a kind, the one that was idle longest ends. */
export async function startSession(tx: Tx, { personId, sessionKind, stay, from }: NewSession) {
  const session = {
    id: tx.newId(),
    token: createSecret(),
    personId,
    stay,
    expiresAt: addMilliseconds(tx.now, sessionLifetime(stay)),
  };
  await run(
    tx,
    sql`
    insert into sessions (id, token_hash, person_id, kind, stay, device, address_hash, created_at, seen_at,
      expires_at)
    values (${session.id}, ${hashSecret(session.token)}, ${personId}, ${sessionKind}, ${stay},
      ${describeDevice(from.userAgent)}, ${hashNetwork(from.address)},
            ${tx.now}, ${tx.now}, ${session.expiresAt})`,
  );
  await endSessionsWhere(
    tx,
    personId,
    sql`id in (
    select id from sessions where person_id = ${personId} and kind = ${sessionKind}
    order by seen_at desc, id desc offset ${MAX_SESSIONS})`,
  );
  return session;
}

/** Ends some of a person's sessions and emits their ids, so that their sockets close too. */
export async function endSessionsWhere(tx: Tx, personId: string, which = sql`true`): Promise<void> {
  const ended = await many(
    tx,
    sql<{ id: string }>`delete from sessions where person_id = ${personId} and ${which} returning id`,
  );
  if (ended.length > 0)
    await emit(tx, {
      type: "person.sessions-ended",
      personId,
      sessionIds: ended.map(({ id }) => id).join(","),
    });
}

type SessionRow = SignedInPerson & {
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

/** Identity behind a session token, in one query; null for an invalid or ended session. */
export const findSession = (
  app: SessionsContext,
  token: string,
  sessionKind: SessionKind,
): Promise<SessionIdentity | null> =>
  findSessionWhere(app, sql`s.token_hash = ${hashSecret(token)} and s.kind = ${sessionKind}`);

/**
 * Creates the ticket that a page sends to its socket, since the page cannot read the cookie. The ticket is
 * valid for a minute and only opens a socket.
 */
export const createSocketTicket = (app: Pick<AccountsContext, "now" | "sealer">, sessionId: string): string =>
  app.sealer.seal("socket", { sessionId }, app.now());

/** The identity of a ticket, while the session is valid. */
export async function findSessionByTicket(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "sealer">,
  ticket: string,
): Promise<SessionIdentity | null> {
  const sealed = app.sealer.unseal<{ sessionId: string }>("socket", ticket, app.now(), TICKET_LIFETIME);
  return sealed && findSessionWhere(app, sql`s.id = ${sealed.sessionId}`);
}

/**
 * The identity of a valid session by id, for a value that was created in the session and is presented
 * elsewhere as proof.
 */
export const findSessionById = (app: SessionsContext, id: string): Promise<SessionIdentity | null> =>
  findSessionWhere(app, sql`s.id = ${id}`);

/** Returns the sessions that are still valid, in one query. */
export const filterLiveSessions = async (
  app: Pick<AccountsContext, "database" | "now">,
  ids: string[],
): Promise<Set<string>> =>
  new Set(
    (
      await many(
        app.database.db,
        sql<{
          id: string;
        }>`select s.id from sessions s join people p on p.id = s.person_id
          where s.id = any(${ids}::uuid[]) and ${liveSessionCondition(app.now())}`,
      )
    ).map(({ id }) => id),
  );

/** Returns the people who are admins now and have two-factor where the site requires it. */
export const filterAdmins = async (
  app: Pick<AccountsContext, "database" | "settings">,
  ids: string[],
): Promise<Set<string>> => {
  const { staffNeedSecondStep } = await app.settings.get();
  const found = sql<{ id: string }>`
    select p.id from people p
    where p.id = any(${ids}::uuid[]) and p.site_role = 'admin' and p.state = 'active'
      and (not ${staffNeedSecondStep}::boolean or ${hasTwoFactor})`;
  return new Set((await many(app.database.db, found)).map(({ id }) => id));
};

/** Condition: `p` has two-factor. Always true for members without a site role. */
export const hasTwoFactor = sql<boolean>`
  (p.site_role = 'member' or p.passkey_step_at is not null
    or exists (select from totp_secrets t where t.person_id = p.id and t.confirmed_at is not null))`;

/** Where staff need two-factor, those without it have only a member's permissions. */
export const lacksStaffTwoFactor = async (
  { settings }: Pick<AccountsContext, "settings">,
  { secured: twoSteps }: Pick<SessionRow, "secured">,
): Promise<boolean> => !twoSteps && (await settings.get()).staffNeedSecondStep;

/** Condition: the session `s` has not expired, and the account `p` may use it. */
const liveSessionCondition = (now: Date) =>
  sql`s.expires_at > ${now} and p.state in ('active', 'limited', 'guest')`;

/** System roles of people who use sign-in providers, under their API names. */
const PROVIDER_ROLES = sql`case i.provider when 'facebook' then 'FacebookUser'
  when 'google' then 'GooglePlusUser'
  when 'googleplus' then 'GooglePlusUser' when 'twitter' then 'TwitterUser' else 'SocialUser' end`;

/** Assigned and system roles of the person `p`, under their API names. */
export const rolesColumn = (person: string) => {
  const p = sql.ref(person);
  return sql<string[]>`(
  select coalesce(array_agg(distinct it.role), '{}') from (
    select r.role from person_roles r where r.person_id = ${p}.id
    union all select 'SocialUser' from provider_identities i where i.person_id = ${p}.id
    union all select ${PROVIDER_ROLES} from provider_identities i where i.person_id = ${p}.id
    union all select case ${p}.state when 'guest' then 'NotAuthenticatedUser'
      else 'AuthenticatedUser' end) it)`;
};

/** Person and roles of an API session token, in one query. */
export const findApiIdentity = (app: SessionsContext, token: string): Promise<ApiIdentity | null> =>
  findApiIdentityWhere(app, sql`s.token_hash = ${hashSecret(token)} and s.kind = 'api'`);

/** Person and roles of a session of either kind. */
export const findApiIdentityBySession = (app: SessionsContext, id: string): Promise<ApiIdentity | null> =>
  findApiIdentityWhere(app, sql`s.id = ${id}`);

async function findApiIdentityWhere(
  app: SessionsContext,
  which: ReturnType<typeof sql>,
): Promise<ApiIdentity | null> {
  const row = await findSessionRow<{ roles: string[] }>(app, which, sql`, ${rolesColumn("p")} as roles`);
  return row && { ...(await toSessionIdentity(app, row)), roles: row.roles };
}

/**
 * Identity of a person for work that an API client starts and that runs later, without a session. Null for
 * deleted and suspended accounts.
 */
export async function findApiIdentityByPerson(
  app: SessionsContext,
  personId: string,
): Promise<Pick<ApiIdentity, "viewer" | "roles"> | null> {
  if (!isId(personId)) return null;
  const row = await maybeOne(
    app.database.db,
    sql<SessionPerson & Pick<SessionRow, "secured"> & { roles: string[] }>`
      select p.id, p.site_role as role, p.trust, p.state, p.state_until as "stateUntil",
        ${hasTwoFactor} as secured, ${rolesColumn("p")} as roles
      from people p where p.id = ${personId} and p.state in ('active', 'limited', 'guest')`,
  );
  return row
    ? { viewer: toViewer(row, app.now(), await lacksStaffTwoFactor(app, row)), roles: row.roles }
    : null;
}

export type SessionPerson = Pick<SessionRow, "id" | "role" | "trust" | "state" | "stateUntil">;

/** The viewer for a person. Staff with `lacksTwoFactor` have only a member's permissions. */
export const toViewer = (
  { id, role, trust, state, stateUntil }: SessionPerson,
  now: Date,
  lacksTwoFactor: boolean,
): Viewer => ({
  id,
  role: state === "guest" ? "guest" : lacksTwoFactor ? "member" : role,
  trust,
  limited: state === "limited" && (stateUntil === null || stateUntil > now),
});

async function findSessionWhere(
  app: SessionsContext,
  which: ReturnType<typeof sql>,
): Promise<SessionIdentity | null> {
  const row = await findSessionRow(app, which);
  return row && toSessionIdentity(app, row);
}

async function findSessionRow<More extends object = object>(
  app: Pick<AccountsContext, "database" | "now">,
  which: ReturnType<typeof sql>,
  more = sql``,
): Promise<(SessionRow & More) | null> {
  const now = app.now();
  const row = await maybeOne(
    app.database.db,
    sql<SessionRow & More>`
    select s.id as "sessionId", s.stay, s.created_at as "startedAt", s.seen_at as "seenAt",
      s.expires_at as "expiresAt",
      p.id, p.display_name as name, p.username, p.email, p.locale, p.time_zone as "timeZone", p.theme,
      p.photo_id as "photoId",
      p.site_role as role, p.trust, p.state, p.state_until as "stateUntil", p.created_at as "createdAt",
      ${hasTwoFactor} as secured, ${lacksAnswers("p")} as "lacksAnswers"${more}
    from sessions s join people p on p.id = s.person_id
    where ${which} and ${liveSessionCondition(now)}`,
  );
  if (!row) return null;
  if (now.getTime() - row.seenAt.getTime() > MINUTE) recordVisit(app, row, now);
  return row;
}

async function toSessionIdentity(
  app: Pick<AccountsContext, "settings" | "now">,
  row: SessionRow,
): Promise<SessionIdentity> {
  const missing = await lacksStaffTwoFactor(app, row);
  const { id, name, username, email, locale, timeZone, theme, photoId, state, createdAt } = row;
  return {
    viewer: toViewer(row, app.now(), missing),
    lacksStaffTwoFactor: missing,
    person: { id, name, username, email, locale, timeZone, theme, photoId, state, createdAt },
    lacksAnswers: row.lacksAnswers,
    session: { id: row.sessionId, stay: row.stay, createdAt: row.startedAt, expiresAt: row.expiresAt },
  };
}

/** Sessions whose last visit is being stored at this moment. */
const visitsBeingRecorded = new Set<string>();

/** Stores the time of the visit without delaying the request. A failure is harmless. */
function recordVisit(app: Pick<AccountsContext, "database">, { sessionId, id, stay }: SessionRow, now: Date) {
  if (visitsBeingRecorded.has(sessionId)) return;
  visitsBeingRecorded.add(sessionId);
  const ctx = sql`
    with visit as (update sessions
      set seen_at = ${now}, expires_at = ${addMilliseconds(now, sessionLifetime(stay))}
      where id = ${sessionId})
    update people set seen_at = ${now} where id = ${id} and (seen_at is null or seen_at < ${now})`;
  run(app.database.db, ctx)
    .catch(() => 0)
    .finally(() => visitsBeingRecorded.delete(sessionId));
}

/** All sessions but the current one. */
export const otherSessionsCondition = (keepSessionId: string | null) =>
  sql`id is distinct from ${keepSessionId}::uuid`;
