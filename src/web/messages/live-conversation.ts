import { getConversation, markConversationRead, getMessagesPage } from "#community/conversations";
import { conversationRules } from "#community/rules";
import { readQueryParam } from "../form-parsing.ts";
import { liveResponse } from "../live/live-response.ts";
import { defineLoader } from "../request-context.ts";
import { type ConversationData, getNewReadPosition, readMessageRange } from "./conversation-data.ts";

/** Current data that replaces the data of an open conversation. */
export type LiveConversation = Pick<ConversationData, "asOf" | "conversation" | "page" | "canWrite">;

/**
 * Returns the current messages, including new ones. They are marked as read if the request says that the
 * reader sees them.
 */
export const loader = defineLoader(({ ctx, viewer, app, db, url, params }) =>
  liveResponse(async (): Promise<LiveConversation> => {
    const conversation = await getConversation(db, viewer, params["conversationId"]!);
    const page = await getMessagesPage(db, viewer, conversation, readMessageRange(url));
    const upTo = readQueryParam(url, "read") === "1" ? getNewReadPosition(conversation, page) : null;
    if (upTo !== null)
      await app.database.inTransaction((tx) =>
        markConversationRead(tx, viewer, { conversationId: conversation.id, upTo }),
      );
    return {
      asOf: ctx.now.getTime(),
      conversation,
      page,
      canWrite: conversationRules.write(viewer, conversation),
    };
  }),
);
