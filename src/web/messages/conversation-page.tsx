import { Suspense, useEffect } from "react";
import { data, useNavigate } from "react-router";
import { markConversationRead } from "#community/conversations";
import { draftTargets } from "#community/discussions";
import { loadOptionalChunk } from "../client/chunk-guard.ts";
import { lazyComponent } from "../client/lazy-component.ts";
import { AccessLost } from "../live/access-lost.tsx";
import { requireMember } from "../auth-middleware.ts";
import type { ShellHandle } from "../layouts/default.tsx";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { pageMeta, RefusalNotice, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { redirectWithNotice } from "../notices/notice.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { previewConversationMessage } from "../composer/preview-data.ts";
import { attachFile } from "../composer/form-attachments.ts";
import { type PostInput, useUnsentPosts } from "../composer/use-unsent-posts.ts";
import {
  type ConversationData,
  getConversationPage,
  getNewReadPosition,
  readMessageRange,
} from "./conversation-data.ts";
import { ConversationHead } from "./conversation-head.tsx";
import { conversationNotice, runConversationCommand, LEAVING_INTENTS } from "./conversation-commands.ts";
import { MessageList } from "./message-list.tsx";
import { NewMessagesLink } from "./new-messages-link.tsx";
import type { Route } from "./+types/conversation-page";
import { scrollToEnd, useInitialReadPosition, useStayAtEnd } from "./use-stay-at-end.ts";
import { useLiveConversation } from "./use-live-conversation.ts";
import { ConversationComposer } from "./conversation-composer.tsx";

export const middleware = [requireMember];
export const handle: ShellHandle = { thread: true };

export const loader = defineLoader(async ({ ctx, db, viewer, app, params, url }) => {
  const it = await getConversationPage(db, viewer, params["conversationId"] ?? "", url);
  const { before, at } = it.window;
  const upTo = before === undefined && at === undefined ? getNewReadPosition(it.conversation, it.page) : null;
  if (upTo !== null)
    await app.database.inTransaction((tx) =>
      markConversationRead(tx, viewer, { conversationId: it.conversation.id, upTo }),
    );
  return { ...it, asOf: ctx.now.getTime(), marked: upTo !== null };
});

export const action = defineAction(async ({ app, ctx, db, viewer, form, params, url }) => {
  const id = params["conversationId"] ?? "";
  form.set("conversationId", id);
  await attachFile(app, viewer, id, draftTargets.conversation(id), form);
  const preview = await previewConversationMessage(db, viewer, id, form);
  if (preview) return data(preview);
  const intent = await app.database.inTransaction((tx) => runConversationCommand(tx, viewer, form));
  // A background submission does not navigate.
  if (form.has("fetched")) return data(null);
  return redirectWithNotice(ctx, {
    to: LEAVING_INTENTS.has(intent)
      ? urls.messages()
      : urls.conversation(id, intent === "send" ? { latest: 1 } : readMessageRange(url)),
    notice: conversationNotice(intent, form),
  });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ conversation }, t) => ({
  title: conversationName(conversation, t("Only you")),
  hidden: true,
}));

export default function Conversation({ loaderData }: Route.ComponentProps) {
  // The key resets all state when another conversation is opened.
  return <OpenConversation key={loaderData.conversation.id} {...loaderData} />;
}

/** This component is loaded in advance, because it must also appear when the connection is lost. */
const loadPending = () => import("./pending-messages.tsx");
const PendingMessages = lazyComponent(loadPending);
const noop = () => {};

function OpenConversation({ marked, ...loaded }: Route.ComponentProps["loaderData"]) {
  const t = useTranslate();
  const { it, shutOff, again } = useLiveConversation(loaded);
  const { conversation, page } = it;
  const last = page.messages.at(-1)?.seq ?? 0;
  const end = useStayAtEnd(last, !page.hasNewer);
  const readUpTo = useInitialReadPosition(loaded.conversation.readUpTo, marked);
  const unsent = useMessages(it, again);
  useEffect(() => void (it.canWrite && loadOptionalChunk(loadPending).catch(noop)), [it.canWrite]);
  if (shutOff) return <AccessLost {...shutOff} to={{ href: urls.messages(), name: t("Messages") }} />;
  return (
    <div className="thread">
      <ConversationHead conversation={conversation} />
      <RefusalNotice except={["send", "edit"]} />
      <section aria-label={t("Messages")} className="flex-1">
        <MessageList data={it} readUpTo={readUpTo} />
        {unsent.items.length > 0 && (
          <Suspense>
            <PendingMessages {...unsent} />
          </Suspense>
        )}
      </section>
      <div className="write-here">
        <NewMessagesLink data={it} seen={end.seen} />
        <ConversationComposer data={it} send={unsent.send} />
      </div>
      <div id={end.id} data-last={last} className="scroll-mb-4" />
    </div>
  );
}

/** Messages that are being sent. Once a message is stored, the stored message replaces it. */
function useMessages({ conversation, page, window, place, draft }: ConversationData, again: () => void) {
  const { me } = useRootData();
  const navigate = useNavigate();
  const latest = urls.conversation(conversation.id, { latest: 1 });
  const { items, send, ...rest } = useUnsentPosts({
    target: place,
    draft,
    to: urls.sendMessage(conversation.id),
    personId: me?.id,
    onSent: again,
  });
  const begin = (input: PostInput) => {
    send(input);
    // Opens the latest messages, where the new message appears, and ends the reply.
    if (input.replyTo || Object.values(window).some(Boolean)) void navigate(latest, { replace: true });
    requestAnimationFrame(() => scrollToEnd());
  };
  return {
    ...rest,
    send: begin,
    items: items.filter(({ id }) => !page.messages.some(({ clientId }) => clientId === id)),
  };
}
