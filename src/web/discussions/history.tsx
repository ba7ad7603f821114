import { historyOf } from "#community/discussions";
import { Refusal } from "#platform/refusal";
import { asked } from "../forms.ts";
import { NextPage, PageHead, pageMeta, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import { Rich, textIn, useWords } from "../words/index.ts";
import type { Route } from "./+types/history";
import { orSignIn } from "./or-sign-in.ts";
import { Stretches } from "./stretches.tsx";
import { changesOf } from "./text-changes.ts";
import { Link } from "../ui/link.tsx";

/** Earlier revisions of a post. */
export const loader = reading(async ({ visit, viewer, db, url, params }) => {
  const postId = params["postId"]!;
  const after = asked(url, "after", 200) || undefined;
  const { rows, ...history } = await orSignIn(viewer, postId, historyOf(db, viewer, postId, { after }), forMembers);
  const { kind, id, groupId } = history.place;
  showing(visit, `${kind}:${id}`, ...(groupId ? [`group:${groupId}`] : []), ...(kind === "resource" ? ["settings"] : []));
  return {
    ...history,
    versions: rows.map(({ at, by, body, before, reason }) => ({
      at,
      by,
      reason,
      changes: changesOf(before, body),
      first: before === null,
    })),
  };
});

const forMembers = () => new Refusal("not-signed-in", "This post is for members, or it is no longer here. Sign in to find out.");

type History = Route.ComponentProps["loaderData"];

export const meta = pageMeta<History>(({ place, post }, t) => ({
  title: t("History of post {number} in {title}", { number: post.number, title: place.title }),
  hidden: true,
}));

export default function HistoryPage({ loaderData: { place, post, versions, next } }: Route.ComponentProps) {
  const t = useWords();
  const at = { post: post.number };
  const back = place.kind === "discussion" ? urls.discussion(place.id, at) : urls.resource(place.id, at);
  return (
    <>
      <PageHead
        title={t("What post {number} said before", { number: post.number })}
        lead={
          <Link to={back} {...textIn(place.language, place.title)}>
            {place.title}
          </Link>
        }
      />
      <ol>
        {versions.map((version) => (
          <li key={String(version.at)} className="border-t border-line py-5">
            <Version version={version} lang={place.language} />
          </li>
        ))}
      </ol>
      <NextPage to={next && urls.history(post.id, { after: next })} />
    </>
  );
}

function Version({ version: { at, by, reason, changes, first }, lang }: { version: History["versions"][number]; lang: string }) {
  const t = useWords();
  const name = by?.name ?? t("Somebody");
  return (
    <>
      <h2 className="text-small font-normal text-quiet">
        {first ? (
          <Rich text="{name} wrote this <0></0>" values={{ name }} parts={[<Time at={at} />]} />
        ) : (
          <Rich text="{name} changed it <0></0>" values={{ name }} parts={[<Time at={at} />]} />
        )}
      </h2>
      {reason && (
        <p dir="auto" className="mt-1 text-small text-quiet">
          {t("Reason: {reason}", { reason })}
        </p>
      )}
      <p dir="auto" lang={lang} className="mt-2 max-w-measure break-words whitespace-pre-wrap text-read">
        <Stretches changes={changes} />
      </p>
    </>
  );
}
