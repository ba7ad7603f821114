import { conversationFor, markConversationRead, messagesOf } from "#community/conversations";
import { conversationRules } from "#community/rules";
import { asked } from "../forms.ts";
import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { type ConversationData, readTo, windowIn } from "./conversation-data.ts";

/** The current state of a conversation that an open page takes over. */
export type Now = Pick<ConversationData, "asOf" | "conversation" | "page" | "mayWrite">;

/** The current messages and new ones. They count as read if the request says that the reader sees them. */
export const loader = reading(({ visit, viewer, house, quick, url, params }) =>
  answerNow(async (): Promise<Now> => {
    const conversation = await conversationFor(quick, viewer, params["conversationId"]!);
    const page = await messagesOf(quick, viewer, conversation, windowIn(url));
    const upTo = asked(url, "read") === "1" ? readTo(conversation, page) : null;
    if (upTo !== null)
      await house.database.inTransaction((tx) => markConversationRead(tx, viewer, { conversationId: conversation.id, upTo }));
    return { asOf: visit.now.getTime(), conversation, page, mayWrite: conversationRules.write(viewer, conversation) };
  }),
);
