import { z } from "zod";
import {
  requestNewOwner,
  requestToJoin,
  restoreGroup,
  getGroupToChange,
  getNotifyLevel,
  InvitationAnswer,
  joinGroup,
  leaveGroup,
  pinGroup,
  declineOwnInvitation,
  setNotifyLevel,
  unpinGroup,
  withdrawRequest,
} from "#community/groups";
import { groupRules, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";
import { defineAction } from "../../request-context.ts";
import { type FormOutcome, type Notice, redirectWithNotice, shortName } from "../../notices/notice.ts";
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
export const runMembershipCommand = defineAction(async ({ app, ctx, viewer, form, url }) =>
  redirectWithNotice(ctx, await app.database.inTransaction((tx) => runGroupCommand(tx, viewer, form, url))),
);

async function runGroupCommand(tx: Tx, viewer: Viewer, form: FormData, url: URL): Promise<FormOutcome> {
  const { intent, groupId, back } = parseForm(Intent, form);
  const it = { groupId };
  let notice: Notice | undefined;
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
      return { to: (await isGroupVisible(tx, viewer, groupId)) ? returnUrl(back, url) : urls.groups() };
    case "decline-invitation":
      await declineOwnInvitation(tx, viewer, it);
      break;
    case "leave":
      notice = await leaveWithNotice(tx, viewer, { ...it, ...parseForm(LeaveInput, form) });
      break;
    case "notify-level":
      notice = await setLevelWithNotice(tx, viewer, { ...it, ...parseForm(NotifyLevelInput, form) });
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
      return { to: urls.group((await restoreGroup(tx, viewer, it)).slug) };
  }
  return { to: returnUrl(back, url), notice };
}

/** Leaves a group. An undo is offered to those who get back all that they had: members of an open group. */
async function leaveWithNotice(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof LeaveInput> & { groupId: string },
) {
  const group = await getGroupToChange(tx, viewer, input.groupId);
  await leaveGroup(tx, viewer, input);
  const canReturn =
    group.viewerRole === "member" &&
    group.membersCount > 1 &&
    group.visibility !== "secret" &&
    group.joinPolicy === "open" &&
    groupRules.join(viewer, { ...group, viewerState: "left", viewerRole: null });
  return {
    message: msg("You left {group}.", { group: shortName(group.name) }),
    undo: canReturn ? ({ command: "join-group", fields: { groupId: group.id } } as const) : undefined,
  };
}

async function setLevelWithNotice(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NotifyLevelInput> & { groupId: string },
): Promise<Notice> {
  const before = await getNotifyLevel(tx, viewer, input.groupId);
  await setNotifyLevel(tx, viewer, input);
  return {
    message: LEVEL_MESSAGES[input.level],
    undo: { command: "set-group-level", fields: { groupId: input.groupId, level: before } },
  };
}

const LEVEL_MESSAGES = {
  all: msg("You are notified of all new discussions and replies in this group."),
  highlights: msg("You are notified of the highlights of this group."),
  mentions: msg("You are notified of mentions in this group only."),
  mute: msg("This group is muted."),
};

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
