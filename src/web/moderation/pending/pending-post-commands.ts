import { PendingPostReturn, PendingPostId, returnPendingPost } from "#community/discussions";
import { approvePending } from "#community/moderation";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../../form-parsing.ts";

type PendingPostCommand = (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>;

/** Commands on a pending post, by the form's `intent`. */
export const PENDING_POST_COMMANDS: Record<"approve" | "return", PendingPostCommand> = {
  approve: (tx, viewer, form) => approvePending(tx, viewer, parseForm(PendingPostId, form)),
  return: (tx, viewer, form) => returnPendingPost(tx, viewer, parseForm(PendingPostReturn, form)),
};
