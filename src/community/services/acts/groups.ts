import {
  admit,
  archiveGroup,
  askToJoin,
  Ban,
  banFromGroup,
  createGroup,
  decline,
  Declining,
  deleteGroup,
  GroupChange,
  inviteToGroup,
  JoinAnswers,
  joinGroup,
  leaveGroup,
  liftGroupBan,
  NewGroup,
  OnSomebody,
  refuseInvitation,
  Removal,
  removeMember,
  RoleChange,
  setGroupNotices,
  setGroupRole,
  unarchiveGroup,
  updateGroup,
  withdrawRequest,
} from "#community/groups";
import { signedIn } from "#community/friends";
import { Refusal } from "#platform/refusal";
import { type Hand, InGroup, Notices } from "../service.ts";
import { type Acts, type Given, noWay, read, type Standing, together, wordOf } from "./act.ts";

const COLUMNS = ["name", "purpose", "about", "topic", "rules", "visibility", "joinPolicy", "historyPolicy"] as const;

export const Groups: Acts = {
  create: async ({ tx, viewer, site }, given) => (await createGroup(tx, viewer, read(NewGroup, given), site)).id,
  update: {
    ...together(COLUMNS, ({ tx, viewer }, now, given) => {
      const changed = COLUMNS.filter((name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(now[name]));
      const input = Object.fromEntries(changed.map((name) => [name, given[name]]));
      return updateGroup(tx, viewer, read(GroupChange, { ...input, groupId: now.objectId }));
    }),
    state({ tx, viewer }, { objectId: groupId, state }, given) {
      const input = { groupId, reason: "" };
      if (given["state"] === "archived" && state === "active") return archiveGroup(tx, viewer, input);
      if (given["state"] === "active" && state === "archived") return unarchiveGroup(tx, viewer, input);
      throw noWay(state, given["state"]);
    },
  },
  remove: ({ tx, viewer }, { objectId: groupId }) => deleteGroup(tx, viewer, { groupId, reason: "" }),
};

/** Membership commands by current and wanted state. */
const STEPS: Record<string, (hand: Hand, given: Given) => Promise<unknown>> = {
  "requested→member": ({ tx, viewer }, given) => admit(tx, viewer, read(OnSomebody, given)),
  "requested→declined": ({ tx, viewer }, given) => decline(tx, viewer, read(Declining, given)),
  "member→removed": ({ tx, viewer }, given) => removeMember(tx, viewer, read(Removal, given)),
  "member→banned": ({ tx, viewer }, given) => banFromGroup(tx, viewer, read(Ban, given)),
  "requested→banned": ({ tx, viewer }, given) => banFromGroup(tx, viewer, read(Ban, given)),
  "banned→removed": ({ tx, viewer }, given) => liftGroupBan(tx, viewer, read(OnSomebody, given)),
};
const OWN_STEPS: Record<string, (hand: Hand, input: { groupId: string }) => Promise<unknown>> = {
  "invited→member": ({ tx, viewer }, input) => joinGroup(tx, viewer, input),
  "invited→refused": ({ tx, viewer }, input) => refuseInvitation(tx, viewer, input),
  "requested→withdrawn": ({ tx, viewer }, input) => withdrawRequest(tx, viewer, input),
  "member→left": ({ tx, viewer }, input) => leaveGroup(tx, viewer, input),
};
/** States in which one's own membership ends, by current state. */
const ENDS: Record<string, string> = { member: "left", requested: "withdrawn", invited: "refused" };

const whose = (now: Standing) => ({ groupId: String(now["groupId"]), personId: String(now["personId"]) });

function step(hand: Hand, now: Standing, wanted: unknown, given: Given) {
  const way = `${wordOf(now["state"])}→${wordOf(wanted)}`;
  const [own, others] = [OWN_STEPS[way], STEPS[way]];
  if (now["mine"] === true && own) return own(hand, whose(now));
  if (now["mine"] !== true && others) return others(hand, { ...given, reason: given["reason"] ?? "", ...whose(now) });
  throw noWay(now["state"], wanted);
}

export const Memberships: Acts = {
  async create({ tx, viewer }, given) {
    const me = signedIn(viewer);
    const { groupId } = read(InGroup, given);
    const personId = given["personId"] === undefined || given["personId"] === null ? me.id : read(OnSomebody, given).personId;
    if (personId !== me.id) await inviteToGroup(tx, me, { groupId, personId });
    else if (given["state"] === "requested")
      await askToJoin(tx, me, read(JoinAnswers, { groupId, answers: given["answers"] ?? undefined }));
    else await joinGroup(tx, me, { groupId });
    return `${groupId}:${personId}`;
  },
  update: {
    ...together(["state", "reason"], (hand, now, given) => step(hand, now, given["state"], given)),
    role: ({ tx, viewer }, now, { role }) => setGroupRole(tx, viewer, read(RoleChange, { ...whose(now), role })),
    notifyLevel({ tx, viewer }, now, { notifyLevel: level }) {
      if (now["mine"] !== true) throw new Refusal("not-allowed", "Everybody says for themselves how much they hear.");
      return setGroupNotices(tx, viewer, read(Notices, { ...whose(now), level }));
    },
  },
  async remove(hand, now) {
    if (now["mine"] === true) return step(hand, now, ENDS[String(now["state"])] ?? "left", {});
    throw new Refusal("not-allowed", "Others are taken out with a reason: save their state as removed, with a `reason`.");
  },
};
