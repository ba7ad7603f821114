import { z } from "zod";
import {
  acceptFriend,
  askFriend,
  block,
  cancelRequest,
  declineFriend,
  dismissSuggestion,
  FriendRequest,
  mayKnowOf,
  mutePerson,
  removeFriend,
  suggestAgain,
  takeBackRemoval,
  tiesTo,
  unblock,
  unmutePerson,
} from "#community/friends";
import type { Viewer } from "#community/rules";
import { DAY, later } from "#platform/clock";
import type { Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { parseForm } from "../forms.ts";

const Asked = z.object({
  intent: z.enum([
    "ask",
    "ask-by-name",
    "accept",
    "decline",
    "cancel",
    "remove",
    "block",
    "unblock",
    "mute",
    "unmute",
    "take-back",
    "dismiss",
    "suggest-again",
  ]),
});
const Whom = z.object({ personId: z.uuid() });
const Mute = Whom.extend({ length: z.enum(["day", "week", "month", "always"]) });
const LENGTHS = { day: DAY, week: 7 * DAY, month: 30 * DAY, always: null };
const ByName = z.object({ username: z.string().trim().min(1, "Who shall it be? Type a user name.").max(50), note: z.string().optional() });

/** Runs a command between two people, for every page that offers it. Returns its intent. */
export async function doToFriend(tx: Tx, viewer: Viewer, form: FormData) {
  const { intent } = parseForm(Asked, form);
  if (intent === "ask") await askFriend(tx, viewer, parseForm(FriendRequest, form));
  else if (intent === "ask-by-name") await askByName(tx, viewer, parseForm(ByName, form));
  else if (intent === "mute") await muteFor(tx, viewer, parseForm(Mute, form));
  else await VERBS[intent](tx, viewer, parseForm(Whom, form));
  return intent;
}

const VERBS = {
  accept: acceptFriend,
  decline: declineFriend,
  cancel: cancelRequest,
  remove: removeFriend,
  block,
  unblock,
  unmute: unmutePerson,
  "take-back": takeBackRemoval,
  dismiss: dismissSuggestion,
  "suggest-again": suggestAgain,
};

const muteFor = (tx: Tx, viewer: Viewer, { personId, length }: z.output<typeof Mute>) =>
  mutePerson(tx, viewer, { personId, until: LENGTHS[length] === null ? null : later(tx.now, LENGTHS[length]) });

async function askByName(tx: Tx, viewer: Viewer, { username, note }: z.output<typeof ByName>) {
  const name = username.replace(/^@/, "").toLowerCase();
  const [tie] = await tiesTo(tx, viewer, { usernames: [name] });
  if (!tie || !mayKnowOf(viewer, tie)) throw invalid("username", "Nobody here has that user name.");
  if (tie.id === viewer.id) throw invalid("username", "That is you.");
  if (tie.isFriend) throw invalid("username", "You are friends already.");
  await askFriend(tx, viewer, { personId: tie.id, note: note ?? "" });
}
