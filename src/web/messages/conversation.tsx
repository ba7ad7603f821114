import { redirect } from "react-router";
import { conversationFor, markConversationRead, messagesOf, NewMessage, sendMessage } from "#community/conversations";
import { draftFor, place } from "#community/discussions";
import { conversationRules } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { answerRequest, keepConversation } from "./conversation-verbs.ts";
import { ConversationHead } from "./conversation-head.tsx";
import { Messages } from "./message-list.tsx";
import type { Route } from "./+types/conversation";
import { useFreshCounts, useLiveConversation, useStayAtEnd } from "./stay-at-end.ts";
import { WriteHere } from "./write-here.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, house, params, url }) => {
  const conversation = await conversationFor(db, viewer, params["conversationId"] ?? "");
  const before = Number.parseInt(asked(url, "before"), 10) || undefined;
  const [page, draft] = await Promise.all([
    messagesOf(db, viewer, conversation, { before }),
    draftFor(db, viewer, place.conversation(conversation.id)),
  ]);
  const unread = conversation.lastSeq > conversation.readUpTo;
  // Somebody who has written unasked is not told whether it was read.
  if (unread && !before && conversation.viewerState === "accepted")
    await house.database.inTransaction((tx) =>
      markConversationRead(tx, viewer, { conversationId: conversation.id, upTo: conversation.lastSeq }),
    );
  return {
    conversation,
    page,
    older: before !== undefined,
    draft,
    place: place.conversation(conversation.id),
    mayWrite: conversationRules.write(viewer, conversation),
    clientId: crypto.randomUUID(),
  };
});

export const action = acting(async ({ house, viewer, form, params }) => {
  const id = params["conversationId"] ?? "";
  const intent = String(form.get("intent"));
  form.set("conversationId", id);
  if (intent === "send") {
    await house.database.inTransaction((tx) => sendMessage(tx, viewer, parseForm(NewMessage, form)));
    return redirect(urls.conversation(id));
  }
  if (["accept", "delete", "block"].includes(intent)) await house.database.inTransaction((tx) => answerRequest(tx, viewer, form));
  else await house.database.inTransaction((tx) => keepConversation(tx, viewer, id, form));
  return redirect(GONE_AFTER.has(intent) ? urls.messages() : urls.conversation(id));
});

/** After these the conversation is not at hand any more. */
const GONE_AFTER = new Set(["delete", "block", "leave", "archive"]);

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ conversation }, t) => ({
  title: conversationName(conversation, t("Only you")),
  hidden: true,
}));

export default function Conversation({ loaderData }: Route.ComponentProps) {
  // Another conversation is another page: nothing of this one's state is left in it.
  return <OpenConversation key={loaderData.conversation.id} {...loaderData} />;
}

function OpenConversation({ conversation, page, older, draft, place: where, mayWrite, clientId }: Route.ComponentProps["loaderData"]) {
  const t = useWords();
  const end = useStayAtEnd(conversation.lastSeq, older);
  const readUpTo = useFreshCounts(conversation);
  useLiveConversation(conversation.id);
  return (
    <div className="flex min-h-[70dvh] flex-col">
      <ConversationHead conversation={conversation} />
      <RefusalNotice except={["send"]} />
      <section aria-label={t("Messages")} className="flex-1">
        <Messages conversation={conversation} page={page} readUpTo={readUpTo} />
      </section>
      <div ref={end} className="mt-6 scroll-mb-24 rail:scroll-mb-4">
        <WriteHere
          conversation={conversation}
          mayWrite={mayWrite}
          older={older}
          draft={draft}
          place={where}
          clientId={clientId}
          lastMine={page.messages.findLast((it) => it.mine)?.id}
        />
      </div>
    </div>
  );
}
