import { sql } from "#platform/database";
import { isMessageHiddenFrom, isNotBlockedEitherWay } from "#community/conversations";
import { blockedIds, blockerIds } from "#community/friends";
import {
  isContentReadable,
  isDiscussionReadable,
  isGroupVisible,
  contentReadableSince,
  viewerMembership,
} from "#community/groups";
import { blockedEitherWay, isPersonVisible } from "#community/accounts";
import { isEventPlaceVisible, isEventVisible } from "#community/calendar";
import { isResourceVisible } from "#community/resources";
import { isSignedIn, privacyDefaults, type TokenArea, tokenRules, type Viewer } from "#community/rules";
import type { Index } from "./search-engine.ts";

type Sql = ReturnType<typeof sql>;
/** Joins for the documents `s`, and a condition that is true for documents the viewer may see. */
export type VisibilityScope = { joins: Sql; condition: Sql };

const NOTHING_VISIBLE: VisibilityScope = { joins: sql``, condition: sql`false` };

/** Excludes content between people with a block, whichever of them blocked. */
const notBlocked = (viewer: Viewer, author: Sql) =>
  sql`${author} <> all(${blockerIds(viewer)}) and ${author} <> all(${blockedIds(viewer)})`;

const groupContentVisible = (viewer: Viewer): VisibilityScope => ({
  joins: sql`left join groups g on g.id = s.group_id ${viewerMembership(viewer, "g", "m")}`,
  condition: sql`(s.group_id is null or ${isContentReadable("s", "written_at", "g", "m")})
    and ${notBlocked(viewer, sql`s.author_id`)}`,
});

/**
 * Whether the profile text of the person may be searched: only if all members can see it. Names can always
 * be searched.
 */
const bioVisible = sql`(s.body = ''
  or (coalesce(p.privacy->>'profile', ${privacyDefaults.profile}) in ('everyone', 'members')
  and coalesce(p.privacy->>'bio', ${privacyDefaults.bio}) in ('everyone', 'members')))`;

/** People in the directory. Only members can find them. */
const personVisible = (viewer: Viewer): VisibilityScope =>
  isSignedIn(viewer)
    ? {
        joins: sql`join people p on p.id = s.id`,
        condition: sql`p.state in ('active', 'limited')
          and (p.id = ${viewer.id} or coalesce((p.privacy->>'inDirectory')::boolean,
            ${privacyDefaults.inDirectory}))
          and ${isPersonVisible(viewer, "p")} and not ${blockedEitherWay(viewer, "p")} and ${bioVisible}`,
      }
    : NOTHING_VISIBLE;

const groupItselfVisible = (viewer: Viewer): VisibilityScope => ({
  joins: sql`join groups g on g.id = s.id ${viewerMembership(viewer, "g", "m")}`,
  condition: isGroupVisible("g", "m"),
});

/** Messages, visible to participants from the time they joined; staff have no access. */
const messagesVisible = (viewer: Viewer): VisibilityScope =>
  isSignedIn(viewer)
    ? {
        joins: sql`join participants mine on mine.conversation_id = s.place_id
          and mine.person_id = ${viewer.id} and mine.state = 'accepted'
          join conversations c on c.id = s.place_id join people author on author.id = s.author_id`,
        condition: sql`s.place_id = any(array(select conversation_id from participants
          where person_id = ${viewer.id} and state = 'accepted'))
          and s.number > mine.joined_seq and ${isNotBlockedEitherWay(viewer, "author", "c")}
          and not ${isMessageHiddenFrom(viewer, "s")}`,
      }
    : NOTHING_VISIBLE;

/** Whether the viewer may read what the document has of the event's description. */
const descriptionVisible = sql`((s.body = '' and s.tags = '{}' and s.has = '{}') or (p.state = 'published'
  and d.state in ('open', 'archived') and ${isDiscussionReadable("d", "g", "m")}
  and coalesce(p.created_at >= ${contentReadableSince("d", "g", "m")}, true)))`;

/** Events, checked against their current rows. A text that has just been hidden hides the document. */
const eventsVisible = (viewer: Viewer): VisibilityScope => ({
  joins: sql`join calendar_events e on e.id = s.id
    join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
    left join posts p on p.id = e.post_id
    left join discussions d on d.id = p.discussion_id and d.group_id = e.group_id`,
  condition: sql`${isEventVisible("e", "g", "m")} and ${notBlocked(viewer, sql`e.host_id`)}
    and (s.names = '' or ${isEventPlaceVisible(viewer, "e", "g", "m")}) and ${descriptionVisible}`,
});

/**
 * Documents of an index that the viewer may find, checked by the audience stored in the document, and by
 * current groups, memberships and blocks. Until a queued change is indexed, a document may be hidden, or
 * still be found although it was restricted a moment ago.
 */
export const findableDocuments = (index: Index, viewer: Viewer): VisibilityScope =>
  withTokenScope(FINDABLE, index, viewer);
const FINDABLE: Record<Index, (viewer: Viewer) => VisibilityScope> = {
  people: personVisible,
  groups: groupItselfVisible,
  discussions: groupContentVisible,
  posts: groupContentVisible,
  resources: groupContentVisible,
  messages: messagesVisible,
  events: eventsVisible,
};

const postInScope = (viewer: Viewer): VisibilityScope => ({
  joins: sql`join posts x on x.id = s.id left join discussions d on d.id = x.discussion_id left
    join resources r on r.id = x.resource_id
    left join groups g on g.id = coalesce(d.group_id, r.group_id) ${viewerMembership(viewer, "g", "m")}`,
  condition: sql`x.state = 'published' and ${notBlocked(viewer, sql`x.author_id`)} and case
    when d.id is not null
      then d.state in ('open', 'archived') and ${isDiscussionReadable("d", "g", "m")}
        and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)
      else r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")} end`,
});

const discussionInScope = (viewer: Viewer): VisibilityScope => ({
  joins: sql`join discussions d on d.id = s.id
    join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}`,
  condition: sql`d.state in ('open', 'archived') and ${isDiscussionReadable("d", "g", "m")}
    and ${notBlocked(viewer, sql`d.author_id`)}`,
});

const resourceInScope = (viewer: Viewer): VisibilityScope => ({
  joins: sql`join resources r on r.id = s.id left
    join groups g on g.id = r.group_id ${viewerMembership(viewer, "g", "m")}`,
  condition: sql`r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}
    and ${notBlocked(viewer, sql`r.owner_id`)}`,
});

const messageInScope = (viewer: Viewer): VisibilityScope => {
  const { joins, condition } = messagesVisible(viewer);
  return {
    joins: sql`${joins} join messages x on x.id = s.id`,
    condition: sql`${condition} and x.deleted_at is null`,
  };
};

/**
 * The check of `findableDocuments` against the current rows of the content. Required before any content is
 * shown.
 */
export const readableDocuments = (index: Index, viewer: Viewer): VisibilityScope =>
  withTokenScope(READABLE, index, viewer);
const READABLE: Record<Index, (viewer: Viewer) => VisibilityScope> = {
  people: personVisible,
  groups: groupItselfVisible,
  discussions: discussionInScope,
  posts: postInScope,
  resources: resourceInScope,
  messages: messageInScope,
  events: eventsVisible,
};

/**
 * Areas by index. A token can search an index if it may read one of these areas. Comments on resources are in
 * the index of posts.
 */
const INDEX_AREAS: Record<Index, TokenArea[]> = {
  people: ["profile"],
  groups: ["groups"],
  discussions: ["discussions"],
  posts: ["discussions", "resources"],
  resources: ["resources"],
  messages: ["messages"],
  events: ["events"],
};

/** Hides from a token the documents of areas that it may not read. */
function withTokenScope(
  scopes: Record<Index, (viewer: Viewer) => VisibilityScope>,
  index: Index,
  viewer: Viewer,
): VisibilityScope {
  const areas = INDEX_AREAS[index];
  const open = areas.filter((area) => tokenRules.use(viewer, area, "read"));
  if (open.length === 0) return NOTHING_VISIBLE;
  const { joins, condition: visible } = scopes[index](viewer);
  const condition = sql`${visible} ${inTokenGroups(index, viewer)}`;
  if (open.length === areas.length) return { joins, condition };
  return {
    joins,
    condition: sql`${condition} and (s.kind = 'comment') = ${open.includes("resources")}::boolean`,
  };
}

/** The groups that a token is limited to, as a further condition. */
function inTokenGroups(index: Index, { groupIds }: Viewer): Sql {
  if (groupIds === undefined) return sql``;
  return sql`and ${index === "groups" ? sql`s.id` : sql`s.group_id`} = any(${[...groupIds]}::uuid[])`;
}
