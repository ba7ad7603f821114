import { z } from "zod";
import {
  acceptFriendRequest,
  sendFriendRequest,
  blockPerson,
  cancelFriendRequest,
  declineFriendRequest,
  dismissSuggestion,
  FriendRequest,
  canSeePerson,
  mutePerson,
  removeFriend,
  undoDismissal,
  undoFriendRemoval,
  listRelationships,
  unblockPerson,
  unmutePerson,
} from "#community/friends";
import type { Viewer } from "#community/rules";
import { DAY, addMilliseconds } from "#platform/clock";
import type { Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { parseForm } from "../form-parsing.ts";

const ActionInput = z.object({
  intent: z.enum([
    "send-request",
    "request-by-name",
    "accept",
    "decline",
    "cancel",
    "remove",
    "block",
    "unblock",
    "mute",
    "unmute",
    "undo-removal",
    "dismiss",
    "undo-dismissal",
  ]),
});
const PersonInput = z.object({ personId: z.uuid() });
const MuteInput = PersonInput.extend({ length: z.enum(["day", "week", "month", "always"]) });
const MUTE_LENGTHS = { day: DAY, week: 7 * DAY, month: 30 * DAY, always: null };
const UsernameInput = z.object({
  username: z.string().trim().min(1, "Enter a username.").max(50),
  note: z.string().optional(),
});

/** Runs a command between two people for any page that offers it; returns the intent. */
export async function runFriendCommand(tx: Tx, viewer: Viewer, form: FormData) {
  const { intent } = parseForm(ActionInput, form);
  if (intent === "send-request") await sendFriendRequest(tx, viewer, parseForm(FriendRequest, form));
  else if (intent === "request-by-name") await requestByUsername(tx, viewer, parseForm(UsernameInput, form));
  else if (intent === "mute") await muteForLength(tx, viewer, parseForm(MuteInput, form));
  else await FRIEND_COMMANDS[intent](tx, viewer, parseForm(PersonInput, form));
  return intent;
}

const FRIEND_COMMANDS = {
  accept: acceptFriendRequest,
  decline: declineFriendRequest,
  cancel: cancelFriendRequest,
  remove: removeFriend,
  block: blockPerson,
  unblock: unblockPerson,
  unmute: unmutePerson,
  "undo-removal": undoFriendRemoval,
  dismiss: dismissSuggestion,
  "undo-dismissal": undoDismissal,
};

const muteForLength = (tx: Tx, viewer: Viewer, { personId, length }: z.output<typeof MuteInput>) =>
  mutePerson(tx, viewer, {
    personId,
    until: MUTE_LENGTHS[length] === null ? null : addMilliseconds(tx.now, MUTE_LENGTHS[length]),
  });

async function requestByUsername(tx: Tx, viewer: Viewer, { username, note }: z.output<typeof UsernameInput>) {
  const name = username.replace(/^@/, "").toLowerCase();
  const [relationship] = await listRelationships(tx, viewer, { usernames: [name] });
  if (!relationship || !canSeePerson(viewer, relationship))
    throw invalid("username", "No member has that username.");
  if (relationship.id === viewer.id) throw invalid("username", "That is your own username.");
  if (relationship.isFriend) throw invalid("username", "You are already friends.");
  await sendFriendRequest(tx, viewer, { personId: relationship.id, note: note ?? "" });
}
