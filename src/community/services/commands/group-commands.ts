import {
  approveJoinRequest,
  archiveGroup,
  requestToJoin,
  GroupBan,
  banFromGroup,
  createGroup,
  declineJoinRequest,
  RequestDecline,
  deleteGroup,
  GroupChange,
  inviteToGroup,
  JoinAnswers,
  joinGroup,
  leaveGroup,
  liftGroupBan,
  NewGroup,
  GroupPersonInput,
  declineOwnInvitation,
  MemberRemoval,
  removeMember,
  RoleChange,
  setNotifyLevel,
  setGroupRole,
  unarchiveGroup,
  updateGroup,
  withdrawRequest,
} from "#community/groups";
import { requireSignedIn } from "#community/friends";
import { Refusal } from "#platform/refusal";
import { type CommandContext, GroupRef, NotifyLevelInput } from "../define-service.ts";
import {
  type RecordCommands,
  type RecordInput,
  invalidTransition,
  parseInput,
  type Standing,
  applyOnce,
  describeState,
} from "./record-commands.ts";

const EDITABLE_COLUMNS = [
  "name",
  "purpose",
  "about",
  "topic",
  "rules",
  "visibility",
  "joinPolicy",
  "historyPolicy",
] as const;

export const Groups: RecordCommands = {
  create: async ({ tx, viewer, site }, input) =>
    (await createGroup(tx, viewer, parseInput(NewGroup, input), site)).id,
  update: {
    ...applyOnce(EDITABLE_COLUMNS, ({ tx, viewer }, now, given) => {
      const changed = EDITABLE_COLUMNS.filter(
        (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(now[name]),
      );
      const input = Object.fromEntries(changed.map((name) => [name, given[name]]));
      return updateGroup(tx, viewer, parseInput(GroupChange, { ...input, groupId: now.objectId }));
    }),
    state({ tx, viewer }, { objectId: groupId, state }, given) {
      const input = { groupId, reason: "" };
      if (given["state"] === "archived" && state === "active") return archiveGroup(tx, viewer, input);
      if (given["state"] === "active" && state === "archived") return unarchiveGroup(tx, viewer, input);
      throw invalidTransition(state, given["state"]);
    },
  },
  remove: ({ tx, viewer }, { objectId: groupId }) => deleteGroup(tx, viewer, { groupId, reason: "" }),
};

/** Commands that change a membership, by current and wanted state. */
const MEMBERSHIP_STEPS: Record<string, (context: CommandContext, input: RecordInput) => Promise<unknown>> = {
  "requested→member": ({ tx, viewer }, input) =>
    approveJoinRequest(tx, viewer, parseInput(GroupPersonInput, input)),
  "requested→declined": ({ tx, viewer }, input) =>
    declineJoinRequest(tx, viewer, parseInput(RequestDecline, input)),
  "member→removed": ({ tx, viewer }, input) => removeMember(tx, viewer, parseInput(MemberRemoval, input)),
  "member→banned": ({ tx, viewer }, input) => banFromGroup(tx, viewer, parseInput(GroupBan, input)),
  "requested→banned": ({ tx, viewer }, input) => banFromGroup(tx, viewer, parseInput(GroupBan, input)),
  "banned→removed": ({ tx, viewer }, input) => liftGroupBan(tx, viewer, parseInput(GroupPersonInput, input)),
};
const OWN_MEMBERSHIP_STEPS: Record<
  string,
  (context: CommandContext, input: { groupId: string }) => Promise<unknown>
> = {
  "invited→member": ({ tx, viewer }, input) => joinGroup(tx, viewer, input),
  "invited→refused": ({ tx, viewer }, input) => declineOwnInvitation(tx, viewer, input),
  "requested→withdrawn": ({ tx, viewer }, input) => withdrawRequest(tx, viewer, input),
  "member→left": ({ tx, viewer }, input) => leaveGroup(tx, viewer, input),
};
/** The state that ends one's own membership, by current state. */
const OWN_END_STATES: Record<string, string> = { member: "left", requested: "withdrawn", invited: "refused" };

const membershipRef = (now: Standing) => ({
  groupId: String(now["groupId"]),
  personId: String(now["personId"]),
});

function changeMembership(context: CommandContext, now: Standing, wanted: unknown, input: RecordInput) {
  const transition = `${describeState(now["state"])}→${describeState(wanted)}`;
  const [own, others] = [OWN_MEMBERSHIP_STEPS[transition], MEMBERSHIP_STEPS[transition]];
  if (now["mine"] === true && own) return own(context, membershipRef(now));
  if (now["mine"] !== true && others)
    return others(context, { ...input, reason: input["reason"] ?? "", ...membershipRef(now) });
  throw invalidTransition(now["state"], wanted);
}

export const Memberships: RecordCommands = {
  async create({ tx, viewer }, input) {
    const me = requireSignedIn(viewer);
    const { groupId } = parseInput(GroupRef, input);
    const personId =
      input["personId"] === undefined || input["personId"] === null
        ? me.id
        : parseInput(GroupPersonInput, input).personId;
    if (personId !== me.id) await inviteToGroup(tx, me, { groupId, personId });
    else if (input["state"] === "requested")
      await requestToJoin(
        tx,
        me,
        parseInput(JoinAnswers, { groupId, answers: input["answers"] ?? undefined }),
      );
    else await joinGroup(tx, me, { groupId });
    return `${groupId}:${personId}`;
  },
  update: {
    ...applyOnce(["state", "reason"], (context, now, input) =>
      changeMembership(context, now, input["state"], input),
    ),
    role: ({ tx, viewer }, now, { role }) =>
      setGroupRole(tx, viewer, parseInput(RoleChange, { ...membershipRef(now), role })),
    notifyLevel({ tx, viewer }, now, { notifyLevel: level }) {
      if (now["mine"] !== true)
        throw new Refusal("not-allowed", "Members choose their own notification level.");
      return setNotifyLevel(tx, viewer, parseInput(NotifyLevelInput, { ...membershipRef(now), level }));
    },
  },
  async remove(context, now) {
    if (now["mine"] === true)
      return changeMembership(context, now, OWN_END_STATES[String(now["state"])] ?? "left", {});
    throw new Refusal(
      "not-allowed",
      "Removing a member needs a reason: save the state `removed` with a `reason`.",
    );
  },
};
