import { redirect } from "react-router";
import { z } from "zod";
import {
  requestNewOwner,
  requestToJoin,
  restoreGroup,
  getGroupToChange,
  InvitationAnswer,
  joinGroup,
  leaveGroup,
  pinGroup,
  declineOwnInvitation,
  setNotifyLevel,
  unpinGroup,
  withdrawRequest,
} from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";
import { defineAction } from "../../request-context.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import { answerFieldFor } from "../join/answer-field-names.ts";

const Intent = z.object({
  intent: z.enum([
    "join",
    "request",
    "withdraw",
    "decline-invitation",
    "leave",
    "notify-level",
    "pin",
    "unpin",
    "restore",
    "request-owner",
  ]),
  groupId: z.string(),
  /** Address to go to afterwards; without it, back to the page. */
  back: z.string().optional(),
});
const LeaveInput = z.object({
  successorId: z
    .string()
    .optional()
    .transform((id) => id || undefined),
  /** An unchecked checkbox is not submitted. */
  content: z.enum(["keep", "remove"]).optional(),
});
const NotifyLevelInput = z.object({ level: z.enum(["all", "highlights", "mentions", "mute"]) });

/** Action of every page that has commands on memberships. */
export const runMembershipCommand = defineAction(async ({ app, viewer, form, url }) =>
  redirect(await app.database.inTransaction((tx) => runGroupCommand(tx, viewer, form, url))),
);

/** Returns the address to go to. */
async function runGroupCommand(tx: Tx, viewer: Viewer, form: FormData, url: URL): Promise<string> {
  const { intent, groupId, back } = parseForm(Intent, form);
  const it = { groupId };
  switch (intent) {
    case "join":
      await joinGroup(tx, viewer, it);
      break;
    case "request":
      await requestToJoin(tx, viewer, { ...it, ...readAnswers(form) });
      break;
    case "withdraw":
      await withdrawRequest(tx, viewer, it);
      // If the group has become secret, its page can no longer be opened.
      return (await isGroupVisible(tx, viewer, groupId)) ? returnUrl(back, url) : urls.groups();
    case "decline-invitation":
      await declineOwnInvitation(tx, viewer, it);
      break;
    case "leave":
      await leaveGroup(tx, viewer, { ...it, ...parseForm(LeaveInput, form) });
      break;
    case "notify-level":
      await setNotifyLevel(tx, viewer, { ...it, ...parseForm(NotifyLevelInput, form) });
      break;
    case "pin":
      await pinGroup(tx, viewer, it);
      break;
    case "unpin":
      await unpinGroup(tx, viewer, it);
      break;
    case "request-owner":
      await requestNewOwner(tx, viewer, it);
      break;
    case "restore":
      return urls.group((await restoreGroup(tx, viewer, it)).slug);
  }
  return returnUrl(back, url);
}

const returnUrl = (back: string | undefined, url: URL) =>
  back ? ownPathOrHome(back) : url.pathname + url.search;

async function isGroupVisible(tx: Tx, viewer: Viewer, groupId: string): Promise<boolean> {
  try {
    await getGroupToChange(tx, viewer, groupId, "read");
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found") return false;
    throw error;
  }
}

/** Reads the answers of a form, with their questions. */
export function readAnswers(form: FormData) {
  const lists = new FormData();
  for (const [name, question] of form) {
    const answered = answerFieldFor(name);
    if (answered === null) continue;
    lists.append("questions[]", question);
    lists.append("answers[]", form.get(answered) ?? "");
  }
  const { answers, questions = [] } = parseForm(InvitationAnswer, lists);
  return { answers, questions };
}
