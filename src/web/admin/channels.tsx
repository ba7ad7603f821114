import { redirect } from "react-router";
import { cancelMessage, type ChannelLine, deleteChannel, listChannels, listWaiting, type Waiting } from "#backend/channels";
import type { House } from "../house.ts";
import { asked, clean, verbIn } from "../forms.ts";
import { Act } from "../people/act.tsx";
import { Empty, NextPage, PageHead, pageMeta, RefusalNotice, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/channels";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ house, viewer, url }) => {
  assertAdmin(viewer);
  const waiting = await listWaiting(house.channels, asked(url, "waiting"));
  const channels = await listChannels(house.channels, asked(url, "after"));
  return { waiting: waiting.rows, nextWaiting: waiting.next, channels: channels.rows, next: channels.next };
});

/** Admins may cancel any scheduled message. */
const ADMIN = { personId: null, trusted: true };

const VERBS: Record<string, { act: string; work: (house: House, of: string) => Promise<unknown> }> = {
  cancel: { act: "message.cancel", work: (house, id) => cancelMessage(house.channels, ADMIN, id) },
  forget: { act: "channel.forget", work: (house, name) => deleteChannel(house.channels, ADMIN, name) },
};

export const action = acting(async ({ house, viewer, form }) => {
  assertAdmin(viewer);
  const { act, work } = verbIn(VERBS, form);
  const of = clean(String(form.get("of") ?? "")).slice(0, 200);
  await work(house, of);
  await noted(house, viewer, act, of);
  return redirect(urls.channels());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Channels and messages of programs"),
  hidden: true,
}));

export default function ChannelsPage({ loaderData: { waiting, nextWaiting, channels, next } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Channels and messages of programs")}
        lead={t("What programs are going to say to each other, and the channels on which they do. What was said is not kept.")}
      />
      <RefusalNotice />
      <section aria-labelledby="waiting" className="border-t border-line py-6">
        <h2 id="waiting" className="mb-3 font-serif text-large font-semibold">
          {t("Scheduled messages")}
        </h2>
        {waiting.length === 0 && <Empty title={t("Nothing is scheduled.")} />}
        <ul>
          {waiting.map((it) => (
            <WaitingLine key={it.id} it={it} />
          ))}
        </ul>
        <NextPage to={nextWaiting && urls.channels({ waiting: nextWaiting })} />
      </section>
      <section aria-labelledby="channels" className="border-t border-line py-6">
        <h2 id="channels" className="mb-3 font-serif text-large font-semibold">
          {t("Channels")}
        </h2>
        {channels.length === 0 && <Empty title={t("No program has said anything yet.")} />}
        <ul>
          {channels.map((it) => (
            <Channel key={it.name} it={it} />
          ))}
        </ul>
        <NextPage to={next && urls.channels({ after: next })} />
      </section>
    </>
  );
}

function WaitingLine({ it: { id, channel, dueAt, repeatEvery, expiresAt, excerpt } }: { it: Waiting }) {
  const t = useWords();
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
          {repeatEvery !== null && <> · {t("{count, plural, one {each second} other {every # seconds}}", { count: repeatEvery })}</>}
          {expiresAt !== null && (
            <>
              {" "}
              · <Rich text="until <0></0>" parts={[<Time at={expiresAt} />]} />
            </>
          )}
        </p>
      </div>
      <Act intent="cancel" fields={{ of: id }} kind="danger" busy="…" label={t("Take back the message on {channel}", { channel })}>
        {t("Take back")}
      </Act>
    </li>
  );
}

function Channel({ it: { name, usedAt, waiting } }: { it: ChannelLine }) {
  const t = useWords();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="break-words">
          <bdi>{name}</bdi>
        </p>
        <p className="text-small text-quiet">
          <Rich text="Last used <0></0>" parts={[<Time at={usedAt} />]} />
          {waiting > 0 && <> · {t("{count, plural, one {# message is scheduled} other {# messages are scheduled}}", { count: waiting })}</>}
        </p>
      </div>
      <Act intent="forget" fields={{ of: name }} kind="danger" busy="…" label={t("Forget the channel {name}", { name })}>
        {t("Forget")}
      </Act>
    </li>
  );
}
