import { z } from "zod";
import { archiveConversation, muteConversation } from "#community/conversations";
import { addBookmark, restoreDraft, restoreOwnPost, setFollowLevel } from "#community/discussions";
import {
  mutePerson,
  unblockPerson,
  undoDismissal,
  undoFriendRemoval,
  unmutePerson,
} from "#community/friends";
import { joinGroup, setNotifyLevel } from "#community/groups";
import { DecisionUndo, SpamRemoval, undoDecision, undoDecisions } from "#community/moderation";
import { markNotificationRead, markNotificationUnread } from "#community/notifications";
import { addResourceBookmark, followResource } from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Database, Tx } from "#platform/database";
import { msg, toDescriptor } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { parseForm } from "../form-parsing.ts";
import { ownPathOrHome } from "../urls.ts";
import type { FormOutcome } from "./notice.ts";

const groupId = z.uuid();
const discussionId = z.uuid();
const conversationId = z.uuid();
const resourceId = z.uuid();
const personId = z.uuid();
const postId = z.uuid();
const id = z.uuid();
/** Milliseconds; empty means no end. */
const time = z
  .string()
  .transform((ms) => (ms === "" ? null : new Date(Number(ms))))
  .pipe(z.date().nullable());

const define =
  <S extends z.ZodType>(fields: S, run: (tx: Tx, viewer: Viewer, input: z.output<S>) => Promise<unknown>) =>
  (database: Database, viewer: Viewer, form: FormData) =>
    database.inTransaction((tx) => run(tx, viewer, parseForm(fields, form)));

/**
 * The command that undoes each action: the same command as the button that does the opposite, run as the
 * viewer, so the form grants nothing.
 */
const UNDO_COMMANDS = {
  "join-group": define(z.object({ groupId }), joinGroup),
  "set-group-level": define(
    z.object({ groupId, level: z.enum(["all", "highlights", "mentions", "mute"]) }),
    setNotifyLevel,
  ),
  "set-discussion-level": define(
    z.object({ discussionId, level: z.enum(["watching", "tracking", "normal", "muted"]) }),
    setFollowLevel,
  ),
  "set-resource-level": define(
    z.object({ resourceId, level: z.enum(["watching", "normal", "muted"]) }),
    followResource,
  ),
  "bookmark-post": define(
    z.object({ postId, note: z.string().max(300), remindAt: time }),
    (tx, viewer, { remindAt, ...bookmark }) =>
      addBookmark(tx, viewer, {
        ...bookmark,
        remindAt: remindAt && remindAt > tx.now ? remindAt : undefined,
      }),
  ),
  "bookmark-resource": define(z.object({ resourceId }), addResourceBookmark),
  "restore-own-post": define(z.object({ postId }), restoreOwnPost),
  "restore-draft": define(z.object({ place: z.string().max(100) }), (tx, viewer, { place }) =>
    restoreDraft(tx, viewer, place),
  ),
  "archive-conversation": define(z.object({ conversationId }), (tx, viewer, it) =>
    archiveConversation(tx, viewer, { ...it, archived: true }),
  ),
  "unarchive-conversation": define(z.object({ conversationId }), (tx, viewer, it) =>
    archiveConversation(tx, viewer, { ...it, archived: false }),
  ),
  "mute-conversation": define(z.object({ conversationId, until: time }), muteConversation),
  "mute-person": define(z.object({ personId, until: time }), mutePerson),
  "unmute-person": define(z.object({ personId }), unmutePerson),
  "unblock-person": define(z.object({ personId }), unblockPerson),
  "restore-friend": define(z.object({ personId }), undoFriendRemoval),
  "restore-suggestion": define(z.object({ personId }), undoDismissal),
  "mark-unread": define(z.object({ id }), markNotificationUnread),
  "mark-read": define(z.object({ id }), markNotificationRead),
  "undo-decision": define(DecisionUndo, undoDecision),
  // A transaction per case: one that can no longer be undone leaves the others.
  "undo-decisions": (database: Database, viewer: Viewer, form: FormData) =>
    undoDecisions(database, viewer, parseForm(SpamRemoval, form)),
};

/** Names the command that undoes an action, with the fields of its form. */
export type UndoRequest = { command: keyof typeof UNDO_COMMANDS; fields: Record<string, string | string[]> };

const isUndoCommand = (name: string): name is UndoRequest["command"] => Object.hasOwn(UNDO_COMMANDS, name);

/**
 * Runs the undo command that the form names, and says on the page where the viewer was whether it succeeded.
 * @throws `not-found` for an unknown command
 */
export async function undoAction(database: Database, viewer: Viewer, form: FormData): Promise<FormOutcome> {
  const command = String(form.get("command"));
  if (!isUndoCommand(command)) throw notFound();
  const to = ownPathOrHome(String(form.get("back") ?? ""));
  try {
    await UNDO_COMMANDS[command](database, viewer, form);
    return { to, notice: { message: msg("Undone.") } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = error.reason === "not-found" ? msg("It is too late.") : toDescriptor(error.descriptor);
    return { to, notice: { message: msg("This could not be undone. {reason}", { reason }) } };
  }
}
