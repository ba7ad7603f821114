import {
  acceptFriendRequest,
  sendFriendRequest,
  blockPerson,
  cancelFriendRequest,
  declineFriendRequest,
  FriendRequest,
  removeFriend,
  requireSignedIn,
  unblockPerson,
} from "#community/friends";
import { ProfileInput, updateProfile } from "#community/accounts";
import { HOSTED_DEFAULTS_HINT } from "#community/settings";
import { msg } from "#platform/messages";
import { isKeyOf } from "#platform/objects";
import { Refusal, notFound } from "#platform/refusal";
import { PersonRef } from "../define-service.ts";
import { type RecordCommands, invalidTransition, splitId, parseInput, applyOnce } from "./record-commands.ts";

export const Users: RecordCommands = {
  create: msg("Users create accounts by registering. {hint}", { hint: HOSTED_DEFAULTS_HINT }),
  update: applyOnce(["name", "pronouns", "location", "bio"], ({ tx, viewer }, { objectId }, input) => {
    const { name, pronouns, location, bio } = input;
    return updateProfile(
      tx,
      viewer,
      objectId,
      parseInput(ProfileInput.partial(), { name, pronouns, location, bio }) as Partial<ProfileInput>,
    );
  }),
  remove: "Only the account's owner can close it, in their settings.",
};

const pairId = (one: string, other: string) => [one, other].toSorted().join(":");
const otherPersonRef = (now: Record<string, unknown>) => ({ personId: String(now["personId"]) });

export const Friendships: RecordCommands = {
  async create({ tx, viewer }, given) {
    const input = parseInput(FriendRequest, given);
    await sendFriendRequest(tx, viewer, input);
    return pairId(requireSignedIn(viewer).id, input.personId);
  },
  update: {
    state({ tx, viewer }, now, input) {
      if (now["state"] !== "received" || input["state"] !== "friends")
        throw invalidTransition(now["state"], input["state"]);
      return acceptFriendRequest(tx, viewer, otherPersonRef(now));
    },
  },
  remove({ tx, viewer }, now) {
    const ends = { friends: removeFriend, sent: cancelFriendRequest, received: declineFriendRequest };
    const state = String(now["state"]);
    if (!isKeyOf(ends, state)) throw notFound();
    return ends[state](tx, viewer, otherPersonRef(now));
  },
};

export const Blocks: RecordCommands = {
  async create({ tx, viewer }, given) {
    const input = parseInput(PersonRef, given);
    await blockPerson(tx, viewer, input);
    return `${requireSignedIn(viewer).id}:${input.personId}`;
  },
  update: "Blocks can only be added or removed.",
  remove({ tx, viewer }, { objectId }) {
    const [mine, personId] = splitId(objectId);
    if (mine !== viewer.id) throw new Refusal("not-allowed", "You can only remove your own blocks.");
    return unblockPerson(tx, viewer, { personId });
  },
};
