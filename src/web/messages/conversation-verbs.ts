import { z } from "zod";
import { acceptConversation, archiveConversation, deleteRequest, leaveConversation, muteConversation } from "#community/conversations";
import { block } from "#community/friends";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../forms.ts";

const HOUR = 3_600_000;
const SPANS = { hour: HOUR, evening: 8 * HOUR, week: 168 * HOUR };
/** Until one says otherwise. */
const ALWAYS = new Date("9999-12-31T00:00:00Z");

const Answer = z.object({ intent: z.enum(["accept", "delete", "block"]), conversationId: z.uuid(), personId: z.uuid().optional() });

/** What one does with a request: somebody unknown has written. */
export async function answerRequest(tx: Tx, viewer: Viewer, form: FormData) {
  const { intent, conversationId, personId } = parseForm(Answer, form);
  if (intent === "accept") await acceptConversation(tx, viewer, { conversationId });
  else if (intent === "delete") await deleteRequest(tx, viewer, { conversationId });
  else if (personId) await block(tx, viewer, { personId });
}

const Keeping = z.object({
  intent: z.enum(["mute", "unmute", "archive", "unarchive", "leave"]),
  span: z.enum(["hour", "evening", "week", "always"]).default("always"),
});

/** How one keeps a conversation: heard or not, at hand or put aside. Says which it was. */
export async function keepConversation(tx: Tx, viewer: Viewer, conversationId: string, form: FormData) {
  const { intent, span } = parseForm(Keeping, form);
  const until = span === "always" ? ALWAYS : new Date(tx.now.getTime() + SPANS[span]);
  if (intent === "mute") await muteConversation(tx, viewer, { conversationId, until });
  else if (intent === "unmute") await muteConversation(tx, viewer, { conversationId, until: null });
  else if (intent === "leave") await leaveConversation(tx, viewer, { conversationId });
  else await archiveConversation(tx, viewer, { conversationId, archived: intent === "archive" });
  return intent;
}
