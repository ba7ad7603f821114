import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { type DiscussionFacts, discussionRules, groupRules, resourceRules } from "#community/rules";
import { resourceFactsColumns, type ResourceFactsRow, toResourceFacts } from "./comment-records.ts";
import { getConversationPresence, canFollowConversation } from "./message-records.ts";
import {
  createSubscriberLookup,
  groupSubscriberColumns,
  type GroupSubscribers,
  type SubscriberFacts,
} from "./subscriber-facts.ts";

/**
 * Target of a subscription: posts of a discussion or conversation, comments on a resource, activity in a
 * group, or the group's public profile (`face`).
 */
export type SubscriptionTarget = {
  kind: "discussion" | "group" | "face" | "conversation" | "resource";
  id: string;
};

/**
 * Returns which of these people (and the guest, null) may subscribe to a target, by the same rules as pages,
 * and the group of the target. Nobody may subscribe to a missing target.
 */
export async function listScopeFollowers(db: Db, scope: SubscriptionTarget, people: string[]) {
  if (scope.kind === "conversation")
    return {
      groupId: null,
      isAllowed: isId(scope.id) ? await canFollowConversation(db, scope.id, people) : () => false,
    };
  if (scope.kind === "resource") return listResourceFollowers(db, scope.id, people);
  const place = isId(scope.id) ? await findPlace(db, scope, people) : undefined;
  if (!place) return { groupId: null, isAllowed: () => false };
  const each = createSubscriberLookup(place);
  const isAllowed = (personId: string | null): boolean => {
    const who = each(personId);
    if (!who) return false;
    if (scope.kind === "face") return groupRules.see(who.viewer, who.group);
    return scope.kind === "group" ? groupRules.read(who.viewer, who.group) : canReadPlace(place, who);
  };
  return { groupId: place.groupId, isAllowed };
}

async function listResourceFollowers(db: Db, id: string, people: string[]) {
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<GroupSubscribers & ResourceFactsRow>`
          select ${resourceFactsColumns("r")}, ${groupSubscriberColumns(people, sql`null::uuid`, "g")}
          from resources r left join groups g on g.id = r.group_id where r.id = ${id}`,
      )
    : undefined;
  if (!row) return { groupId: null, isAllowed: () => false };
  const each = createSubscriberLookup(row);
  const isAllowed = (personId: string | null): boolean => {
    const who = each(personId);
    return who !== undefined && resourceRules.see(who.viewer, toResourceFacts(row, who));
  };
  return { groupId: row.groupId, isAllowed };
}

type ScopePlace = GroupSubscribers &
  Pick<DiscussionFacts, "state" | "audience" | "lastPostAt"> & { groupId: string };

const findPlace = (db: Db, { kind, id }: SubscriptionTarget, people: string[], author = sql`null::uuid`) =>
  maybeOne(
    db,
    kind === "discussion"
      ? sql<ScopePlace>`select g.id as "groupId", d.state, d.audience, d.last_post_at as "lastPostAt",
        ${groupSubscriberColumns(people, author, "g")} from discussions d join groups g on g.id = d.group_id
        where d.id = ${id}`
      : sql<ScopePlace>`select g.id as "groupId", 'open' as state, 'group' as audience,
        g.last_active_at as "lastPostAt", ${groupSubscriberColumns(people, author, "g")} from groups g
        where g.id = ${id}`,
  );

const canReadPlace = (place: ScopePlace, { viewer, group }: SubscriberFacts) =>
  discussionRules.see(viewer, { ...place, group, authorId: null, locked: false });

/**
 * Presence in a discussion or conversation. `shownTo`: people who may know that the person is online or
 * typing there; `sees`: people whose presence the person may see.
 */
export type PresenceVisibility = { shownTo: (other: string) => boolean; sees: (other: string) => boolean };

/**
 * Visibility of presence. In a discussion, both people can read it, no block separates them, and the shown
 * person shares their status (`showOnline`).
 */
export async function getPresenceVisibility(
  db: Db,
  { kind, id }: { kind: "discussion" | "conversation"; id: string },
  personId: string,
  others: string[],
): Promise<PresenceVisibility> {
  return kind === "conversation"
    ? getConversationPresence(db, id, personId, others)
    : getDiscussionPresence(db, id, personId, others);
}

async function getDiscussionPresence(
  db: Db,
  discussionId: string,
  personId: string,
  others: string[],
): Promise<PresenceVisibility> {
  const place = await findPlace(
    db,
    { kind: "discussion", id: discussionId },
    [...others, personId],
    sql`${personId}::uuid`,
  );
  const each = place && createSubscriberLookup(place);
  const me = each?.(personId);
  if (!place || !me || !canReadPlace(place, me)) return { shownTo: () => false, sees: () => false };
  const meets = (other: string) => {
    const who = each!(other);
    return who && canReadPlace(place, who) && !who.blockedEitherWay ? who : undefined;
  };
  return {
    shownTo: (other) => me.shares && meets(other) !== undefined,
    sees: (other) => meets(other)?.shares ?? false,
  };
}
