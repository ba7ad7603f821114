import { sql } from "#platform/database";
import { viewerSince } from "#community/groups";
import { GUEST, type GroupFacts, groupRules, privacyDefaults, type Viewer } from "#community/rules";

/** Somebody who follows what happens, with all that the rules ask about them and the thing that changed. */
export type Onlooker = {
  viewer: Viewer;
  viewerState: GroupFacts["viewerState"];
  viewerRole: GroupFacts["viewerRole"];
  viewerSince: GroupFacts["viewerSince"];
  /** The author blocks the viewer, as far as that holds for them here; or the other way round. */
  blocksViewer: boolean;
  viewerBlocks: boolean;
  /** Lets others know when they are here. */
  shares: boolean;
};
/** An onlooker, with the facts of the group as they are for them. `parted`: by a block, whatever they look after. */
export type Seen = Onlooker & { group: GroupFacts; parted: boolean; /** As it is where there is no group. */ blocks: boolean };
/** What is found of a thing: its group, and those of the people asked about who still have an open account. */
export type InGroup = { group: Omit<GroupFacts, "viewerState" | "viewerRole" | "viewerSince">; onlookers: Onlooker[] };

const STRANGER: Onlooker = {
  viewer: GUEST,
  viewerState: null,
  viewerRole: null,
  viewerSince: null,
  blocksViewer: false,
  viewerBlocks: false,
  shares: false,
};

type Sql = ReturnType<typeof sql>;

/** The columns of `InGroup`: one statement tells about the thing and about everybody who follows it. `g` is the group. */
export const inGroup = (people: string[], author: Sql) => sql`
  json_build_object('visibility', g.visibility, 'joinPolicy', g.join_policy, 'historyPolicy', g.history_policy, 'state', g.state,
    'repliesBy', g.replies_by, 'startsBy', g.starts_by, 'invitesBy', g.invites_by) as "group",
  (select coalesce(json_agg(json_build_object(
      'viewer', json_build_object('id', v.id, 'role', case when v.state = 'guest' then 'guest' else v.site_role end,
        'trust', v.trust, 'limited', v.state = 'limited'),
      'viewerState', m.state, 'viewerRole', case when m.state = 'member' then m.role end,
      'viewerSince', ${viewerSince},
      'blocksViewer', exists (select from blocks b where b.blocker_id = ${author} and b.blocked_id = v.id),
      'viewerBlocks', exists (select from blocks b where b.blocker_id = v.id and b.blocked_id = ${author}),
      'shares', v.state <> 'guest' and coalesce((v.privacy->>'showOnline')::boolean, ${privacyDefaults.showOnline}))), '[]')
   from people v left join memberships m on m.group_id = g.id and m.person_id = v.id
   where v.id = any(${people}::uuid[]) and v.state in ('active', 'limited', 'guest')) as onlookers`;

/** Each onlooker by id, and the guest by null; with the group's facts as they are for them. Undefined for who is shut out. */
export function eachIn({ group, onlookers }: InGroup): (personId: string | null) => Seen | undefined {
  const byId = new Map(onlookers.map((it) => [it.viewer.id, it]));
  byId.set(null, STRANGER);
  return (personId) => {
    const it = byId.get(personId);
    if (!it) return undefined;
    const facts = { ...group, viewerState: it.viewerState, viewerRole: it.viewerRole, viewerSince: it.viewerSince };
    const blocksViewer = it.blocksViewer && !groupRules.pastBlocks(it.viewer, facts);
    return { ...it, blocks: it.blocksViewer, blocksViewer, parted: it.blocksViewer || it.viewerBlocks, group: facts };
  };
}
