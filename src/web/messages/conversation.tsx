import { Suspense, useEffect } from "react";
import { data, redirect, useNavigate } from "react-router";
import { markConversationRead } from "#community/conversations";
import { place } from "#community/discussions";
import { fetchPart } from "../client/chunk-guard.ts";
import { lazyPart } from "../client/lazy-part.ts";
import { Shut } from "../live/shut.tsx";
import { membersOnly } from "../auth.ts";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { pageMeta, RefusalNotice, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { previewedMessage } from "../writing/previewing.ts";
import { takeSentAlong } from "../writing/taking-picture.ts";
import { type Said, useUnsent } from "../writing/unsent.ts";
import { type ConversationData, conversationPage, readTo, windowIn } from "./conversation-data.ts";
import { ConversationHead } from "./conversation-head.tsx";
import { doInConversation, GONE_AFTER } from "./conversation-verbs.ts";
import { Messages } from "./message-list.tsx";
import { NewMessages } from "./new-messages.tsx";
import type { Route } from "./+types/conversation";
import { goToEnd, useFreshCounts, useStayAtEnd } from "./stay-at-end.ts";
import { useLiveConversation } from "./use-live-conversation.ts";
import { WriteHere } from "./write-here.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ visit, quick, viewer, house, params, url }) => {
  const it = await conversationPage(quick, viewer, params["conversationId"] ?? "", url);
  const { before, at } = it.window;
  const upTo = before === undefined && at === undefined ? readTo(it.conversation, it.page) : null;
  if (upTo !== null)
    await house.database.inTransaction((tx) => markConversationRead(tx, viewer, { conversationId: it.conversation.id, upTo }));
  return { ...it, asOf: visit.now.getTime(), marked: upTo !== null };
});

export const action = acting(async ({ house, db, viewer, form, params, url }) => {
  const id = params["conversationId"] ?? "";
  form.set("conversationId", id);
  await takeSentAlong(house, viewer, id, place.conversation(id), form);
  const preview = await previewedMessage(db, viewer, id, form);
  if (preview) return data(preview);
  const intent = await house.database.inTransaction((tx) => doInConversation(tx, viewer, form));
  // A background submission does not navigate.
  if (form.has("fetched")) return data(null);
  return redirect(GONE_AFTER.has(intent) ? urls.messages() : urls.conversation(id, intent === "send" ? { latest: 1 } : windowIn(url)));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ conversation }, t) => ({
  title: conversationName(conversation, t("Only you")),
  hidden: true,
}));

export default function Conversation({ loaderData }: Route.ComponentProps) {
  // The key resets all state for another conversation.
  return <OpenConversation key={loaderData.conversation.id} {...loaderData} />;
}

/** Preloaded: it may be needed while offline. */
const loadPending = () => import("./pending-messages.tsx");
const PendingMessages = lazyPart(loadPending);
const nothing = () => {};

function OpenConversation({ marked, ...loaded }: Route.ComponentProps["loaderData"]) {
  const t = useWords();
  const { it, shutOff, again } = useLiveConversation(loaded);
  const { conversation, page } = it;
  const last = page.messages.at(-1)?.seq ?? 0;
  const end = useStayAtEnd(last, !page.hasNewer);
  const readUpTo = useFreshCounts(loaded.conversation.readUpTo, marked);
  const unsent = useMessages(it, again);
  useEffect(() => void (it.mayWrite && fetchPart(loadPending).catch(nothing)), [it.mayWrite]);
  if (shutOff) return <Shut {...shutOff} to={{ href: urls.messages(), name: t("Messages") }} />;
  return (
    <div className="flex min-h-[70dvh] flex-col">
      <ConversationHead conversation={conversation} />
      <RefusalNotice except={["send", "edit"]} />
      <section aria-label={t("Messages")} className="flex-1">
        <Messages it={it} readUpTo={readUpTo} />
        {unsent.items.length > 0 && (
          <Suspense>
            <PendingMessages {...unsent} />
          </Suspense>
        )}
      </section>
      <div className="write-here">
        <NewMessages it={it} seen={end.seen} />
        <WriteHere it={it} send={unsent.send} />
      </div>
      <div id={end.id} data-last={last} className="scroll-mb-16 rail:scroll-mb-4" />
    </div>
  );
}

/** Messages being sent. One that has arrived is replaced by the message itself. */
function useMessages({ conversation, page, window, place, draft }: ConversationData, again: () => void) {
  const { me } = useRoot();
  const navigate = useNavigate();
  const latest = urls.conversation(conversation.id, { latest: 1 });
  const { items, send, ...rest } = useUnsent({
    place,
    draft,
    to: urls.sendMessage(conversation.id),
    personId: me?.id,
    onSent: again,
  });
  const begin = (said: Said) => {
    send(said);
    // A new message appears at the end, and the reply is done.
    if (said.replyTo || Object.values(window).some(Boolean)) void navigate(latest, { replace: true });
    requestAnimationFrame(() => goToEnd());
  };
  return { ...rest, send: begin, items: items.filter(({ id }) => !page.messages.some(({ clientId }) => clientId === id)) };
}
