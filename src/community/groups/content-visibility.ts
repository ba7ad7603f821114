import { sql } from "#platform/database";

// Visibility of a group's content. Each function takes the aliases of the content, the group and the
// reader's membership.

type Sql = ReturnType<typeof sql>;

const isOpenContent = (x: string, group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`(${g}.state <> 'pending' and ${g}.visibility = 'public'
    and ${sql.ref(x)}.audience = 'group')`;
};

/**
 * Time from which a member without a group role reads members-only content; null if they read all of this
 * content.
 */
const memberReadsFrom = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<Date | null>`
  case when ${g}.history_policy = 'from_joining' then ${m}.joined_at
    when ${g}.shared_from is not null then least(${m}.joined_at, ${g}.shared_from) end`;
};

/** `groupRules.readsFrom` in SQL, for content `x` of the group; null if all of it is readable. */
export const contentReadableSince = (x: string, group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql<Date | null>`
  case when ${m}.state = 'member' and ${m}.role = 'member'
    and not ${isOpenContent(x, group)} then ${memberReadsFrom(group, membership)} end`;
};

/** Condition: members-only content from the time `at` is readable. */
export const isReadableAsMember = (at: Sql, group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql<boolean>`
  coalesce(${m}.state = 'member'
    and (${m}.role <> 'member' or coalesce(${at} >= ${memberReadsFrom(group, membership)}, true)),
  false)`;
};

/** `groupRules.readContent` in SQL, for content `x`; `at` is the column with the time of its last change. */
export const isContentReadable = (x: string, at: string, group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`
  (${g}.state <> 'deleted' and case when ${isOpenContent(x, group)} then ${m}.state is distinct from 'banned'
    else ${isReadableAsMember(sql.ref(`${x}.${at}`), group, membership)} end)`;
};

/** `isContentReadable` for a discussion. */
export const isDiscussionReadable = (discussion: string, group: string, membership: string) =>
  isContentReadable(discussion, "last_post_at", group, membership);

/**
 * Time from which the member reads content, in milliseconds; null for all of it and for people who are not
 * members.
 */
export const viewerReadableSince = (group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql<number | null>`
  case
    when ${m}.state = 'member' then (extract(epoch from ${memberReadsFrom(group, membership)}) * 1000)::float8
    end`;
};
