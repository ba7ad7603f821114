import { Suspense, useEffect, useState } from "react";
import { data, redirect, type ShouldRevalidateFunctionArgs, useNavigate } from "react-router";
import { type DiscussionRow, nowAt, place, postsNumbered, readNext } from "#community/discussions";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { fetchPart } from "../client/chunk-guard.ts";
import { lazyPart } from "../client/lazy-part.ts";
import { Shut } from "../live/shut.tsx";
import { feedLink, structuredData } from "../for-programs.ts";
import { asked } from "../forms.ts";
import { pageMeta, RefusalNotice, useRoot } from "../ui/index.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { takePicture } from "../writing/taking-picture.ts";
import { previewed } from "../writing/previewing.ts";
import { useUnsent } from "../writing/unsent.ts";
import type { Route } from "./+types/discussion";
import { CannotReply } from "./cannot-reply.tsx";
import { type DiscussionData, discussionPage } from "./discussion-data.ts";
import { DiscussionHead } from "./discussion-head.tsx";
import { postingOf } from "./discussion-posting.ts";
import { doInDiscussion } from "./discussion-verbs.ts";
import { KeptDraft } from "./kept-text.tsx";
import { LeftPlain } from "./left-plain.tsx";
import { MorePosts } from "./more-posts.tsx";
import { NewReplies } from "./new-replies.tsx";
import { OwnHeld } from "./own-held.tsx";
import { PagesNav } from "./pages-nav.tsx";
import { closesAtEndOfDay } from "./poll-day.ts";
import { Position } from "./position.tsx";
import { together } from "./post-place.ts";
import { Posts } from "./posts.tsx";
import { ReadNext } from "./read-next.tsx";
import { ReplyBox } from "./reply-box.tsx";
import { useLiveDiscussion } from "./use-live-discussion.ts";
import { DeletedNotice } from "./deleted-notice.tsx";

export const loader = reading(async ({ visit, viewer, house, db, quick, url, params }) => {
  const page = await discussionPage(quick, viewer, params["id"]!, url, visit.now).catch(async (error: unknown) => {
    throw (await formerAddress(db, viewer, params["id"]!, url)) ?? error;
  });
  const { id, group } = page.discussion;
  showing(visit, `discussion:${id}`, `group:${group.id}`, "discussions");
  // Next discussions are only loaded for the last page.
  const next = page.upTo === page.pages ? (await readNext(db, viewer, page.discussion, visit.now)).map(asNext) : [];
  if (isOpen(page) && !isSignedIn(viewer)) visit.head = await forPrograms(db, viewer, page, house.origin());
  return { ...page, asOf: visit.now.getTime(), next };
});

/** Everybody can read it, and search engines may index it. */
const isOpen = ({ discussion: { group, audience } }: Pick<DiscussionData, "discussion">) =>
  group.visibility === "public" && audience === "group";

/** Only the first page describes the subject. */
async function forPrograms(db: Db, viewer: Viewer, page: Omit<DiscussionData, "asOf">, origin: string): Promise<string> {
  const [about] = page.page > 1 ? await postsNumbered(db, viewer, page.discussion, [1]) : [];
  const begins = about ? about.excerpt : page.posts[0]?.html && page.opening;
  return feedLink(origin, urls.discussion(page.discussion.id)) + structuredData(postingOf(page, begins || null, origin));
}

const asNext = ({ id, title, language, unread, firstUnread, lastPostAt }: DiscussionRow) => ({
  id,
  title,
  language,
  unread,
  firstUnread,
  lastPostAt,
});

/**
 * Redirects from a merged discussion to the other, and to the requested post, if the viewer may read it
 * there.
 */
async function formerAddress(db: Db, viewer: Viewer, id: string, url: URL): Promise<Response | null> {
  const now = await nowAt(db, viewer, id, Math.trunc(Math.min(1e6, Math.max(0, Number(asked(url, "post"))))) || undefined);
  return now && redirect(urls.discussion(now.discussion.id, { post: now.post }), 301);
}

export const action = acting(async ({ visit, house, db, viewer, form, params, url }) => {
  await takePicture(house, viewer, place.discussion(params["id"]!), form);
  const preview = await previewed(db, viewer, place.discussion(params["id"]!), form);
  if (preview) return data(preview);
  closesAtEndOfDay(form, visit.timeZone);
  const to = await house.database.inTransaction((tx) => doInDiscussion(tx, viewer, params["id"]!, form, url));
  // A form sent by script in the background does not navigate.
  return form.has("fetched") ? data(null) : redirect(to);
});

/** After a conflict the page loads what has changed; other refusals have changed nothing. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta = pageMeta<DiscussionData>((it, t) => {
  const { discussion, opening, page, upTo, pages } = it;
  const at = (page: number) => urls.discussion(discussion.id, page > 1 ? { page } : {});
  const beside = { prev: page > 1 ? at(page - 1) : undefined, next: upTo < pages ? at(upTo + 1) : undefined };
  return {
    title: page > 1 ? t("{title} – page {page}", { title: discussion.title, page }) : discussion.title,
    description: opening ?? undefined,
    ...(isOpen(it) ? { canonical: at(page), ...beside, article: true } : { hidden: true }),
  };
});

const nothing = () => {};

// Keyed by discussion, so that its state ends with the visit.
export default function DiscussionPage({ loaderData }: Route.ComponentProps) {
  return <Reading key={loaderData.discussion.id} {...loaderData} />;
}

const QuoteSelection = lazyPart(() => import("./quote-selection.tsx"));
/** Loaded for writers in advance: when it is needed, there may be no network. */
const loadUnsentList = () => import("../writing/unsent-list.tsx");
const UnsentList = lazyPart(loadUnsentList);

function Reading({ next, ...loaded }: Route.ComponentProps["loaderData"]) {
  const t = useWords();
  const { it, end, waiting, shutOff } = useLiveDiscussion(loaded);
  const { discussion, may, plain } = it;
  const { me } = useRoot();
  const unsent = useReplies(it);
  // A person who could reply on arrival keeps the form and its text, also when the discussion is closed
  // meanwhile.
  const [couldReply, setCouldReply] = useState(may.reply);
  if (may.reply && !couldReply) setCouldReply(true);
  const hydrated = useHydrated();
  const guestMayTry = !me && discussion.state === "open" && !discussion.locked && discussion.group.state === "active";
  const closed = !may.reply && !guestMayTry;
  useEffect(() => void (may.reply && fetchPart(loadUnsentList).catch(nothing)), [may.reply]);
  if (shutOff) return <Shut {...shutOff} to={groupOf(discussion)} />;
  return (
    <>
      <DiscussionHead discussion={discussion} may={may} />
      {discussion.deletedAt && <DeletedNotice takenBack={wasTakenBack(it)} mayRestore={may.restore} />}
      <RefusalNotice except={["reply", "edit", "restore-post", "delete"]} />
      <PagesNav it={it} where="above" />
      <Posts it={it} />
      <Position it={it} />
      {unsent.items.length > 0 && (
        <Suspense>
          <UnsentList {...unsent} />
        </Suspense>
      )}
      <div ref={end} />
      {me && (
        <NewReplies
          to={urls.discussion(discussion.id, { post: waiting.first })}
          waiting={waiting}
          words={t("{count, plural, one {# new reply} other {# new replies}}", { count: waiting.count || waiting.arrived })}
        />
      )}
      <MorePosts it={it} />
      <PagesNav it={it} where="below" />
      {may.reply && hydrated && (
        <Suspense>
          <QuoteSelection it={it} />
        </Suspense>
      )}
      {plain && <LeftPlain {...plain} />}
      <OwnHeld held={it.held} />
      {closed && <CannotReply discussion={discussion} may={may} above={couldReply} />}
      {!closed || couldReply ? <ReplyBox it={it} send={unsent.send} closed={closed} /> : <KeptDraft draft={it.draft} />}
      <ReadNext rows={next} />
    </>
  );
}

/** Its author deleted the only post: only they can restore it, and nothing else is there. */
const wasTakenBack = ({ discussion, posts }: DiscussionData) => discussion.lastNumber === 1 && posts[0]?.stub === "deleted";

/** The group's page says why a member was banned; a secret group is not shown to them. */
const groupOf = ({ group: { slug, name, visibility } }: DiscussionData["discussion"]) =>
  visibility === "secret" ? undefined : { href: urls.group(slug), name };

/** Replies being sent. Once a reply has arrived, the post itself replaces it, on whichever page that is. */
function useReplies(it: DiscussionData) {
  const { discussion, posts, place, draft } = it;
  const { me } = useRoot();
  const navigate = useNavigate();
  const { items, ...rest } = useUnsent({
    place,
    draft,
    to: urls.sendReply(discussion.id),
    personId: me?.id,
    onSent: ({ number, plain, discussionId = discussion.id }) =>
      void navigate(urls.discussion(discussionId, { ...together(it), post: number ?? undefined, plain: plain.join(" ") }), {
        replace: true,
        preventScrollReset: true,
      }),
  });
  return { ...rest, items: items.filter((it) => it.number !== null && !posts.some((post) => post.number === it.number)) };
}
