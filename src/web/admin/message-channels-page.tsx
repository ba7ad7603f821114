import { redirect } from "react-router";
import {
  cancelMessage,
  type ChannelRow,
  deleteChannel,
  listChannels,
  listScheduledMessages,
  type ScheduledMessage,
} from "#baas/messaging";
import type { WebContext } from "../web-context.ts";
import { readQueryParam, cleanText, chooseAction } from "../form-parsing.ts";
import { ActionForm } from "../people/action-form.tsx";
import { EmptyState, NextPageLink, PageHeader, pageMeta, RefusalNotice, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/message-channels-page";
import { assertAdmin, auditAdminAction } from "./admin-access.ts";

export const loader = defineLoader(async ({ app, viewer, url }) => {
  assertAdmin(viewer);
  const waiting = await listScheduledMessages(app.channels, readQueryParam(url, "waiting"));
  const channels = await listChannels(app.channels, readQueryParam(url, "after"));
  return { waiting: waiting.rows, nextWaiting: waiting.next, channels: channels.rows, next: channels.next };
});

/** Admins may cancel any scheduled message. */
const ADMIN_CALLER = { personId: null, trusted: true };

const CHANNEL_COMMANDS: Record<
  string,
  { act: string; work: (app: Pick<WebContext, "channels">, of: string) => Promise<unknown> }
> = {
  cancel: { act: "message.cancel", work: (app, id) => cancelMessage(app.channels, ADMIN_CALLER, id) },
  delete: { act: "channel.delete", work: (app, name) => deleteChannel(app.channels, ADMIN_CALLER, name) },
};

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  const { act, work } = chooseAction(CHANNEL_COMMANDS, form);
  const of = cleanText(String(form.get("of") ?? "")).slice(0, 200);
  await work(app, of);
  await auditAdminAction(app, viewer, act, of);
  return redirect(urls.channels());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Realtime channels"),
  hidden: true,
}));

export default function ChannelsPage({
  loaderData: { waiting, nextWaiting, channels, next },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Realtime channels")}
        lead={t(
          "Channels used by API clients, and their scheduled messages. Published messages are not stored.",
        )}
      />
      <RefusalNotice />
      <section aria-labelledby="waiting" className="border-t border-line py-6">
        <h2 id="waiting" className="mb-3 font-serif text-large font-semibold">
          {t("Scheduled messages")}
        </h2>
        {waiting.length === 0 && <EmptyState title={t("No scheduled messages.")} />}
        <ul>
          {waiting.map((it) => (
            <ScheduledMessageRow key={it.id} it={it} />
          ))}
        </ul>
        <NextPageLink to={nextWaiting && urls.channels({ waiting: nextWaiting })} />
      </section>
      <section aria-labelledby="channels" className="border-t border-line py-6">
        <h2 id="channels" className="mb-3 font-serif text-large font-semibold">
          {t("Channels")}
        </h2>
        {channels.length === 0 && <EmptyState title={t("No channels yet.")} />}
        <ul>
          {channels.map((it) => (
            <ChannelListItem key={it.name} it={it} />
          ))}
        </ul>
        <NextPageLink to={next && urls.channels({ after: next })} />
      </section>
    </>
  );
}

function ScheduledMessageRow({
  it: { id, channel, dueAt, repeatEvery, expiresAt, excerpt },
}: {
  it: ScheduledMessage;
}) {
  const t = useTranslate();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="font-semibold break-words">
          <bdi>{channel}</bdi>
        </p>
        <p className="font-mono text-small break-all">
          <bdi>{excerpt}</bdi>
        </p>
        <p className="text-small text-quiet">
          <Time at={dueAt} />
          {repeatEvery !== null && (
            <> · {t("{count, plural, one {every second} other {every # seconds}}", { count: repeatEvery })}</>
          )}
          {expiresAt !== null && (
            <>
              {" "}
              · <Rich text="until <0></0>" parts={{ 0: <Time at={expiresAt} /> }} />
            </>
          )}
        </p>
      </div>
      <ActionForm
        intent="cancel"
        fields={{ of: id }}
        kind="danger"
        busy="…"
        label={t("Cancel message on {channel}", { channel })}
      >
        {t("Cancel")}
      </ActionForm>
    </li>
  );
}

function ChannelListItem({ it: { name, usedAt, waiting } }: { it: ChannelRow }) {
  const t = useTranslate();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="break-words">
          <bdi>{name}</bdi>
        </p>
        <p className="text-small text-quiet">
          <Rich text="Last used <0></0>" parts={{ 0: <Time at={usedAt} /> }} />
          {waiting > 0 && (
            <>
              {" "}
              ·{" "}
              {t("{count, plural, one {# message is scheduled} other {# messages are scheduled}}", {
                count: waiting,
              })}
            </>
          )}
        </p>
      </div>
      <ActionForm
        intent="delete"
        fields={{ of: name }}
        kind="danger"
        busy="…"
        label={t("Delete channel {name}", { name })}
      >
        {t("Delete")}
      </ActionForm>
    </li>
  );
}
