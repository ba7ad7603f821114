import { getPostHistory } from "#community/discussions";
import { Refusal } from "#platform/refusal";
import { readQueryParam } from "../../form-parsing.ts";
import { NextPageLink, PageHeader, pageMeta, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader, addCacheTags } from "../../request-context.ts";
import { Rich, useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/post-history-page";
import { askGuestToSignIn } from "../ask-guest-to-sign-in.ts";
import { TextDiff } from "./text-diff.tsx";
import { diffTexts } from "./diff-texts.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** Lists earlier revisions of a post. */
export const loader = defineLoader(async ({ ctx, viewer, db, url, params }) => {
  const postId = params["postId"]!;
  const after = readQueryParam(url, "after", 200) || undefined;
  const { rows, ...history } = await askGuestToSignIn(
    viewer,
    postId,
    getPostHistory(db, viewer, postId, { after }),
    signInRefusal,
  );
  const { kind, id, groupId } = history.place;
  addCacheTags(
    ctx,
    `${kind}:${id}`,
    ...(groupId ? [`group:${groupId}`] : []),
    ...(kind === "resource" ? ["settings"] : []),
  );
  return {
    ...history,
    versions: rows.map(({ at, by, body, before, reason }) => ({
      at,
      by,
      reason,
      changes: diffTexts(before, body),
      first: before === null,
    })),
  };
});

const signInRefusal = () =>
  new Refusal("not-signed-in", "This post is for members only, or does not exist. Sign in to check.");

type HistoryData = Route.ComponentProps["loaderData"];

export const meta = pageMeta<HistoryData>(({ place, post }, t) => ({
  title: t("History of post {number} in {title}", { number: post.number, title: place.title }),
  hidden: true,
}));

export default function PostHistoryPage({
  loaderData: { place, post, versions, next },
}: Route.ComponentProps) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  const at = { post: post.number };
  const back = place.kind === "discussion" ? urls.discussion(place.id, at) : urls.resource(place.id, at);
  return (
    <>
      <PageHeader
        title={t("Earlier texts of post {number}", { number: post.number })}
        lead={
          <Link to={back} {...titleAttributes(place.language, place.title)}>
            {place.title}
          </Link>
        }
      />
      <ol>
        {versions.map((version) => (
          <li key={String(version.at)} className="border-t border-line py-5">
            <RevisionItem version={version} lang={place.language} />
          </li>
        ))}
      </ol>
      <NextPageLink to={next && urls.history(post.id, { after: next })} />
    </>
  );
}

function RevisionItem({
  version: { at, by, reason, changes, first },
  lang,
}: {
  version: HistoryData["versions"][number];
  lang: string;
}) {
  const t = useTranslate();
  const name = by?.name ?? t("Someone");
  return (
    <>
      <h2 className="text-small font-normal text-quiet">
        {first ? (
          <Rich text="{name} wrote this <0></0>" values={{ name }} parts={{ 0: <Time at={at} /> }} />
        ) : (
          <Rich text="{name} edited it <0></0>" values={{ name }} parts={{ 0: <Time at={at} /> }} />
        )}
      </h2>
      {reason && (
        <p dir="auto" className="mt-1 text-small text-quiet">
          {t("Reason: {reason}", { reason })}
        </p>
      )}
      <p dir="auto" lang={lang} className="mt-2 max-w-measure break-words whitespace-pre-wrap text-read">
        <TextDiff changes={changes} />
      </p>
    </>
  );
}
