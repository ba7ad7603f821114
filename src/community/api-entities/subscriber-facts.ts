import { sql } from "#platform/database";
import { viewerReadableSince } from "#community/groups";
import { GUEST, type GroupFacts, groupRules, privacyDefaults, type Viewer } from "#community/rules";

/** A subscriber, with the facts about them and the changed entity that the rules need. */
export type Subscriber = {
  viewer: Viewer;
  viewerState: GroupFacts["viewerState"];
  viewerRole: GroupFacts["viewerRole"];
  viewerSince: GroupFacts["viewerSince"];
  /**
   * The author blocks the viewer. In `SubscriberFacts` it is true only where the block applies to the
   * viewer.
   */
  blocksViewer: boolean;
  viewerBlocks: boolean;
  /** The person shares their online status. */
  shares: boolean;
};
/**
 * A subscriber with the group's facts for them. `blockedEitherWay` is true across any block, even for a
 * moderator.
 */
export type SubscriberFacts = Subscriber & {
  group: GroupFacts;
  blockedEitherWay: boolean;
  /** The value of `blocksViewer` outside groups. */ blocks: boolean;
};
/** Query result for an entity: its group, and the requested people who have an open account. */
export type GroupSubscribers = {
  group: Omit<GroupFacts, "viewerState" | "viewerRole" | "viewerSince">;
  onlookers: Subscriber[];
};

const GUEST_SUBSCRIBER: Subscriber = {
  viewer: GUEST,
  viewerState: null,
  viewerRole: null,
  viewerSince: null,
  blocksViewer: false,
  viewerBlocks: false,
  shares: false,
};

type Sql = ReturnType<typeof sql>;

/**
 * The columns of `GroupSubscribers`: one statement reads the entity and every subscriber. `g` is the group.
 */
export const groupSubscriberColumns = (people: string[], author: Sql, group: string) => {
  const g = sql.ref(group);
  return sql`
  json_build_object('visibility', ${g}.visibility, 'joinPolicy', ${g}.join_policy, 'historyPolicy',
  ${g}.history_policy, 'state', ${g}.state,
    'repliesBy', ${g}.replies_by, 'startsBy', ${g}.starts_by, 'eventsBy', ${g}.events_by,
    'invitesBy', ${g}.invites_by) as "group",
  (select coalesce(json_agg(json_build_object(
      'viewer', json_build_object('id', v.id, 'role', case when v.state = 'guest' then 'guest'
        else v.site_role end,
        'trust', v.trust, 'limited', v.state = 'limited'),
      'viewerState', m.state, 'viewerRole', case when m.state = 'member' then m.role end,
      'viewerSince', ${viewerReadableSince(group, "m")},
      'blocksViewer', exists (select from blocks b where b.blocker_id = ${author} and b.blocked_id = v.id),
      'viewerBlocks', exists (select from blocks b where b.blocker_id = v.id and b.blocked_id = ${author}),
      'shares', v.state <> 'guest'
        and coalesce((v.privacy->>'showOnline')::boolean, ${privacyDefaults.showOnline}))), '[]')
   from people v left join memberships m on m.group_id = ${g}.id and m.person_id = v.id
   where v.id = any(${people}::uuid[]) and v.state in ('active', 'limited', 'guest')) as onlookers`;
};

/**
 * Looks up subscribers by id, and the guest by null, with the group's facts for them. Undefined for a person
 * without access to the site.
 */
export function createSubscriberLookup({
  group,
  onlookers,
}: GroupSubscribers): (personId: string | null) => SubscriberFacts | undefined {
  const byId = new Map(onlookers.map((it) => [it.viewer.id, it]));
  byId.set(null, GUEST_SUBSCRIBER);
  return (personId) => {
    const it = byId.get(personId);
    if (!it) return undefined;
    const facts = {
      ...group,
      viewerState: it.viewerState,
      viewerRole: it.viewerRole,
      viewerSince: it.viewerSince,
    };
    const blocksViewer = it.blocksViewer && !groupRules.pastBlocks(it.viewer, facts);
    return {
      ...it,
      blocks: it.blocksViewer,
      blocksViewer,
      blockedEitherWay: it.blocksViewer || it.viewerBlocks,
      group: facts,
    };
  };
}
