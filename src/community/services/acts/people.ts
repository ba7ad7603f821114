import {
  acceptFriend,
  askFriend,
  block,
  cancelRequest,
  declineFriend,
  FriendRequest,
  removeFriend,
  signedIn,
  unblock,
} from "#community/friends";
import { ProfileForm, updateProfile } from "#community/people";
import { HOSTED_ALLOWS } from "#community/settings";
import { Refusal } from "#platform/refusal";
import { Person } from "../service.ts";
import { type Acts, noWay, partsOf, read, together } from "./act.ts";

export const Users: Acts = {
  create: `Accounts are made by registering. ${HOSTED_ALLOWS}`,
  update: together(["name", "pronouns", "location", "bio"], ({ tx, viewer }, { objectId }, given) => {
    const { name, pronouns, location, bio } = given;
    return updateProfile(tx, viewer, objectId, read(ProfileForm.partial(), { name, pronouns, location, bio }) as Partial<ProfileForm>);
  }),
  remove: "An account is closed by whose it is, on their page of settings.",
};

const pairOf = (one: string, other: string) => [one, other].toSorted().join(":");
const other = (now: Record<string, unknown>) => ({ personId: String(now["personId"]) });

export const Friendships: Acts = {
  async create({ tx, viewer }, given) {
    const input = read(FriendRequest, given);
    await askFriend(tx, viewer, input);
    return pairOf(signedIn(viewer).id, input.personId);
  },
  update: {
    state({ tx, viewer }, now, given) {
      if (now["state"] !== "received" || given["state"] !== "friends") throw noWay(now["state"], given["state"]);
      return acceptFriend(tx, viewer, other(now));
    },
  },
  remove({ tx, viewer }, now) {
    const end = { friends: removeFriend, sent: cancelRequest, received: declineFriend }[now["state"] as "friends" | "sent" | "received"];
    return end(tx, viewer, other(now));
  },
};

export const Blocks: Acts = {
  async create({ tx, viewer }, given) {
    const input = read(Person, given);
    await block(tx, viewer, input);
    return `${signedIn(viewer).id}:${input.personId}`;
  },
  update: "A block is there, or it is not.",
  remove({ tx, viewer }, { objectId }) {
    const [mine, personId] = partsOf(objectId);
    if (mine !== viewer.id) throw new Refusal("not-allowed", "That is not your block.");
    return unblock(tx, viewer, { personId });
  },
};
