import { many, sql } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { assignUsernames } from "#community/accounts";
import { LIMITS } from "#community/rules";
import { truncate } from "../archive/record-fields.ts";
import { type Batch, type Entry, assignIds, formatSourceId, writeRows } from "./import-batch.ts";
import { storeOldPaths } from "./old-paths.ts";
import { importNotificationSettings } from "./import-notification-settings.ts";
import { importRelationships } from "./import-relationships.ts";

type User = Entry<"user">;

/**
 * Imports people. A record with the email of an account here (confirmed) or of an imported account is linked
 * to that account; any other record becomes a new imported account. Roles in an archive are ignored.
 */
export async function importUsers(batch: Batch, entries: User[]): Promise<void> {
  const holders = await findEmailHolders(batch, entries);
  const [strangers, known] = splitByKnownEmail(entries, new Set(holders.keys()));
  const fresh = await assignIds(batch, "people", strangers, (it) => it);
  for (const it of strangers)
    if (readEmail(it)) holders.set(readEmail(it)!, batch.names.of("user", it.record.id)!);
  const same = known.map((it) => ({ ...it, id: holders.get(readEmail(it)!)! }));
  for (const { id, record } of same)
    batch.names.add("user", formatSourceId(record), { localId: id, made: false });
  batch.count("user", "known", same.length);
  const usernames = await assignUsernames(
    batch.tx,
    fresh.map(({ record }) => record.username || record.name || "member"),
  );
  const rows = fresh.map((it, i) => createPersonRow(batch, it, usernames[i]!));
  await writeRows(batch, "people", rows);
  await writeRows(
    batch,
    "imported_accounts",
    fresh.flatMap((it) => (readEmail(it) ? [{ person_id: it.id, email: it.record.email }] : [])),
  );
  await storeOldPaths(batch, "user", [...fresh, ...same]);
  await importFormerNames(batch, fresh);
  await importNotificationSettings(batch, fresh);
}

/** Redirects former usernames until the date in the archive, unless the name is taken. */
async function importFormerNames(batch: Batch, fresh: (User & { id: string })[]): Promise<void> {
  const former = fresh.flatMap(({ id, record }) =>
    record.formerNames
      .filter(({ until }) => until > batch.tx.now)
      .map(({ name, until }) => ({ username: name, person_id: id, until })),
  );
  const names = former.map(({ username }) => username);
  const taken = await many(
    batch.tx,
    sql<{ username: string }>`select username from people where username = any(${names})`,
  );
  const theirs = new Set(taken.map(({ username }) => username));
  await writeRows(
    batch,
    "former_usernames",
    former.filter(({ username }) => !theirs.has(username)),
  );
}

/**
 * Adds emails to imported accounts that had none, unless the email is taken. The accounts can then be
 * claimed.
 */
export async function addEmailAddresses(batch: Batch, entries: User[]): Promise<void> {
  const withEmail = entries.flatMap((it) =>
    readEmail(it) ? [{ it, email: readEmail(it)!, id: batch.names.of("user", it.record.id)! }] : [],
  );
  if (withEmail.length === 0) return;
  const holders = await findEmailHolders(batch, entries);
  const ids = withEmail.map(({ id }) => id);
  const without = await many(
    batch.tx,
    sql<{ id: string }>`
      select id from people p where id = any(${ids}::uuid[]) and state = 'ghost'
        and not exists (select from imported_accounts g where g.person_id = p.id)`,
  );
  const lacking = new Set(without.map(({ id }) => id));
  const later = withEmail.filter(({ id }) => lacking.has(id));
  for (const { it, email } of later)
    if (holders.has(email))
      batch.note(it, "Its email address belongs to another account: imported without it.");
  await writeRows(
    batch,
    "imported_accounts",
    later
      .filter(({ email }) => !holders.has(email))
      .map(({ it, id }) => ({ person_id: id, email: it.record.email })),
  );
}

/** The email that identifies a person; an erased account has none. */
const readEmail = ({ record }: User) => (record.gone ? undefined : record.email?.toLowerCase());

/**
 * Separates new people from people known by email. An email of an earlier record in this batch counts as
 * known.
 */
function splitByKnownEmail(entries: User[], emails: Set<string>): [strangers: User[], known: User[]] {
  const [strangers, known]: [User[], User[]] = [[], []];
  for (const it of entries) {
    const email = readEmail(it);
    (email && emails.has(email) ? known : strangers).push(it);
    if (email) emails.add(email);
  }
  return [strangers, known];
}

async function findEmailHolders(batch: Batch, entries: User[]): Promise<Map<string, string>> {
  const emails = entries.flatMap((it) => readEmail(it) ?? []);
  if (emails.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<{ email: string; id: string }>`
      select lower(email) as email, person_id as id from imported_accounts where lower(email) = any(${emails})
      union all
      select lower(email), id from people
      where lower(email) = any(${emails}) and email_confirmed_at is not null
        and state in ('active', 'limited', 'suspended')`,
  );
  return new Map(rows.map(({ email, id }) => [email, id]));
}

/** Pattern of the usernames that erased accounts get. The import keeps such a name if it is free. */
const ERASED_NAME = /^former-[0-9a-z]{13}$/;

const createPersonRow = (batch: Batch, { id, record: it }: User & { id: string }, username: string) => ({
  id,
  username: it.gone
    ? ERASED_NAME.test(it.username)
      ? it.username
      : `former-${id.replaceAll("-", "").slice(-13)}`
    : username,
  display_name: it.gone ? "Former member" : it.name || truncate(it.username, LIMITS.displayName) || "Member",
  state: it.gone ? "erased" : "ghost",
  site_role: "member",
  trust: "new",
  locale: it.locale,
  time_zone: parseTimeZone(it.timeZone),
  theme: "system",
  pronouns: it.pronouns,
  location: it.location,
  bio_md: it.bio,
  bio_html: renderMarkdown(it.bio),
  fields: it.fields,
  privacy: it.privacy,
  photo_alt: it.photoAlt,
  header_alt: "",
  header_style: it.headerStyle,
  join_reason: "",
  mail_level: it.mailLevel,
  created_at: it.createdAt ?? batch.tx.now,
});

function parseTimeZone(wanted: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: wanted }).resolvedOptions().timeZone === ""
      ? "UTC"
      : wanted;
  } catch {
    return "UTC";
  }
}

export const importFriendships = (batch: Batch, entries: Entry<"friendship">[]): Promise<void> =>
  importRelationships(
    batch,
    "friendship",
    ["friendships", ["low_id", "high_id"]],
    betweenDistinctPeople(batch, entries),
    (it) => {
      const [asked, at] = [batch.names.of("user", it.from)!, it.createdAt ?? batch.tx.now];
      const other = batch.names.of("user", it.to)!;
      const ends: [string, string] = asked < other ? [asked, other] : [other, asked];
      const { state, note } = it;
      return {
        ends,
        more: {
          state,
          requested_by: asked,
          note,
          requested_at: at,
          changed_at: it.changedAt ?? at,
          cancelled: false,
        },
      };
    },
  );

export const importBlocks = (batch: Batch, entries: Entry<"block">[]): Promise<void> =>
  importRelationships(
    batch,
    "block",
    ["blocks", ["blocker_id", "blocked_id"]],
    betweenDistinctPeople(batch, entries),
    (it) => ({
      ends: [batch.names.of("user", it.from)!, batch.names.of("user", it.to)!],
      more: { created_at: it.createdAt ?? batch.tx.now },
    }),
  );

export const importMutes = (batch: Batch, entries: Entry<"mute">[]): Promise<void> =>
  importRelationships(
    batch,
    "mute",
    ["mutes", ["muter_id", "muted_id"]],
    betweenDistinctPeople(batch, entries),
    (it) => ({
      ends: [batch.names.of("user", it.from)!, batch.names.of("user", it.to)!],
      more: { until: it.until ?? null, created_at: it.createdAt ?? batch.tx.now },
    }),
  );

/** Drops relationships of a person with themselves: two people of an archive may be one person here. */
const betweenDistinctPeople = <Told extends { record: { from: string; to: string } }>(
  batch: Batch,
  entries: Told[],
): Told[] =>
  entries.filter(({ record: { from, to } }) => batch.names.of("user", from) !== batch.names.of("user", to));
