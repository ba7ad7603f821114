import { useState } from "react";
import { data, redirect, type ShouldRevalidateFunctionArgs, useNavigate } from "react-router";
import {
  type DiscussionRow,
  findMergedDiscussion,
  draftTargets,
  listPostsByNumber,
  listReadNext,
} from "#community/discussions";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import type { ShellHandle } from "../layouts/default.tsx";
import { DiscussionsSidebar } from "../layouts/discussions-sidebar.tsx";
import { AccessLost } from "../live/access-lost.tsx";
import { feedLinkTag, structuredDataTag } from "../head-tags.ts";
import { readQueryParam } from "../form-parsing.ts";
import { pageMeta, RefusalNotice, useRootData } from "../ui/index.ts";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import { urls } from "../urls.ts";
import { redirectWithNotice } from "../notices/notice.ts";
import { defineAction, defineLoader, addCacheTags } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { attachPicture } from "../composer/form-attachments.ts";
import { previewPost } from "../composer/preview-data.ts";
import { useUnsentPosts } from "../composer/use-unsent-posts.ts";
import type { Route } from "./+types/discussion-page";
import { NoReplyNotice } from "./replies/no-reply-notice.tsx";
import { type DiscussionData, loadDiscussionPage } from "./discussion-data.ts";
import { DiscussionHeader } from "./discussion-header.tsx";
import { discussionStructuredData } from "./discussion-structured-data.ts";
import { runDiscussionCommand } from "./discussion-commands.ts";
import { ReadOnlyDraft } from "./replies/read-only-text.tsx";
import { UnresolvedMentionsNotice } from "./replies/unresolved-mentions.tsx";
import { PostPages } from "./reading/post-pages.tsx";
import { NewRepliesLink } from "./reading/new-replies-link.tsx";
import { OwnPendingPosts } from "./replies/own-pending-posts.tsx";
import { setPollClosingTime } from "./polls/poll-closing-date.ts";
import { PositionSlider } from "./reading/position-slider.tsx";
import { pageRangeParams } from "./posts/post-context.ts";
import { PostList } from "./posts/post-list.tsx";
import { NextDiscussions } from "./reading/next-discussions.tsx";
import { FollowMenu } from "./follow-menu.tsx";
import { ModerationMenu } from "./manage/moderation-menu.tsx";
import { TitleBar } from "./reading/title-bar.tsx";
import { ReplyForm, ReplyLink } from "./replies/reply-form.tsx";
import { useLiveDiscussion } from "./reading/use-live-discussion.ts";
import { DeletedDiscussionNotice } from "./manage/deleted-discussion-notice.tsx";
import QuoteSelection from "./replies/quote-selection.tsx";
import UnsentList from "../composer/unsent-list.tsx";

export const loader = defineLoader(async ({ ctx, viewer, app, db, url, params }) => {
  const page = await loadDiscussionPage(app, viewer, params["id"]!, url, ctx.now).catch(
    async (error: unknown) => {
      throw (await redirectMerged(db, viewer, params["id"]!, url)) ?? error;
    },
  );
  // Next discussions are only loaded for the last page.
  const next = page.upTo === page.pages ? await listReadNext(db, viewer, page.discussion, ctx.now) : [];
  addCacheTags(ctx, ...discussionPageTags(page, next));
  if (isPublic(page) && !isSignedIn(viewer)) ctx.head = await createHeadTags(db, viewer, page, app.origin());
  return { ...page, asOf: ctx.now.getTime(), next: next.map(toNextDiscussion) };
});

/**
 * Cache tags of the page. The titles beside and below it are tagged with their groups only. New posts do not
 * invalidate these tags, so the order of the titles may be as old as the page.
 */
const discussionPageTags = (
  { discussion, posts, entries }: Pick<DiscussionData, "discussion" | "posts" | "entries">,
  next: DiscussionRow[],
) => [
  `discussion:${discussion.id}`,
  `group:${discussion.group.id}`,
  ...next.map(({ group }) => `group:${group.id}`),
  ...posts.flatMap(({ movedTo, kept = [] }) => [
    ...(movedTo ? [`discussion:${movedTo.discussionId}`] : []),
    ...kept.map(({ id }) => `resource:${id}`),
  ]),
  ...entries.flatMap(({ otherDiscussion }) => (otherDiscussion ? [`discussion:${otherDiscussion.id}`] : [])),
];

/** Whether everybody can read the discussion, so that search engines may index it. */
const isPublic = ({ discussion: { group, audience } }: Pick<DiscussionData, "discussion">) =>
  group.visibility === "public" && audience === "group";

/** Creates the head tags. Only the first page has structured data about the subject. */
async function createHeadTags(
  db: Db,
  viewer: Viewer,
  page: Omit<DiscussionData, "asOf">,
  origin: string,
): Promise<string> {
  const [about] = page.page > 1 ? await listPostsByNumber(db, viewer, page.discussion, [1]) : [];
  const begins = about ? about.excerpt : page.posts[0]?.html && page.opening;
  return (
    feedLinkTag(origin, urls.discussion(page.discussion.id)) +
    structuredDataTag(discussionStructuredData(page, begins || null, origin))
  );
}

const toNextDiscussion = ({ id, title, language, unread, firstUnread, lastPostAt }: DiscussionRow) => ({
  id,
  title,
  language,
  unread,
  firstUnread,
  lastPostAt,
});

/**
 * Redirects from a merged discussion to the discussion it was merged into, and there to the requested post,
 * if the viewer may read it.
 */
async function redirectMerged(db: Db, viewer: Viewer, id: string, url: URL): Promise<Response | null> {
  const now = await findMergedDiscussion(
    db,
    viewer,
    id,
    Math.trunc(Math.min(1e6, Math.max(0, Number(readQueryParam(url, "post"))))) || undefined,
  );
  return now && redirect(urls.discussion(now.discussion.id, { post: now.post }), 301);
}

export const handle: ShellHandle<Route.ComponentProps["loaderData"]> = {
  aside: ({ sidebar, asOf }) => <DiscussionsSidebar data={sidebar} asOf={asOf} />,
};

export const action = defineAction(async ({ ctx, app, db, viewer, form, params, url }) => {
  await attachPicture(app, viewer, draftTargets.discussion(params["id"]!), form);
  const preview = await previewPost(db, viewer, draftTargets.discussion(params["id"]!), form);
  if (preview) return data(preview);
  setPollClosingTime(form, ctx.timeZone);
  const outcome = await app.database.inTransaction((tx) =>
    runDiscussionCommand(tx, viewer, params["id"]!, form, url),
  );
  // A form that was sent in the background does not navigate.
  return form.has("fetched") ? data(null) : redirectWithNotice(ctx, outcome);
});

/**
 * After a conflict the page loads what another person has changed; after other refusals nothing has changed.
 */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta = pageMeta<DiscussionData>((discussionData, t) => {
  const { discussion, opening, page, upTo, pages } = discussionData;
  const at = (number: number) => urls.discussion(discussion.id, number > 1 ? { page: number } : {});
  const beside = { prev: page > 1 ? at(page - 1) : undefined, next: upTo < pages ? at(upTo + 1) : undefined };
  return {
    title: page > 1 ? t("{title} – page {page}", { title: discussion.title, page }) : discussion.title,
    description: opening ?? undefined,
    ...(isPublic(discussionData) ? { canonical: at(page), ...beside, article: true } : { hidden: true }),
  };
});

// The key resets all state when another discussion is opened.
export default function DiscussionPage({ loaderData }: Route.ComponentProps) {
  return <DiscussionView key={loaderData.discussion.id} {...loaderData} />;
}

function DiscussionView({ next, ...loaded }: Route.ComponentProps["loaderData"]) {
  const t = useTranslate();
  const { it, end, waiting, shutOff } = useLiveDiscussion(loaded);
  const { discussion, can, plain } = it;
  const { me } = useRootData();
  const unsent = useReplies(it);
  // A person who could reply when the page opened keeps the form and its text, even if the discussion is
  // closed meanwhile.
  const [couldReply, setCouldReply] = useState(can.reply);
  if (can.reply && !couldReply) setCouldReply(true);
  const hydrated = useHydrated();
  const guestMayTry =
    !me && discussion.state === "open" && !discussion.locked && discussion.group.state === "active";
  const closed = !can.reply && !guestMayTry;
  if (shutOff) return <AccessLost {...shutOff} to={findGroupLink(discussion)} />;
  return (
    <>
      <DiscussionHeader discussion={discussion} can={can} />
      <TitleBar discussion={discussion}>
        {me && <FollowMenu level={discussion.level} />}
        {!closed && <ReplyLink />}
        {me && <ModerationMenu discussion={discussion} can={can} />}
      </TitleBar>
      {discussion.deletedAt && (
        <DeletedDiscussionNotice takenBack={isDeletedByAuthor(it)} canRestore={can.restore} />
      )}
      <RefusalNotice except={["reply", "edit", "restore-post", "delete"]} />
      <PostList data={it} />
      <PositionSlider data={it} />
      {unsent.items.length > 0 && <UnsentList {...unsent} />}
      <div ref={end} />
      {me && (
        <NewRepliesLink
          to={urls.discussion(discussion.id, { post: waiting.first })}
          waiting={waiting}
          words={t("{count, plural, one {# new reply} other {# new replies}}", {
            count: waiting.count || waiting.arrived,
          })}
        />
      )}
      <PostPages data={it} />
      {can.reply && hydrated && <QuoteSelection data={it} />}
      {plain && <UnresolvedMentionsNotice {...plain} />}
      <OwnPendingPosts pendingPosts={it.pendingPosts} />
      {closed && <NoReplyNotice discussion={discussion} can={can} above={couldReply} />}
      {!closed || couldReply ? (
        <ReplyForm data={it} send={unsent.send} closed={closed} />
      ) : (
        <ReadOnlyDraft draft={it.draft} />
      )}
      <NextDiscussions rows={next} />
    </>
  );
}

/**
 * Whether the author deleted the only post: nothing else is in the discussion, and only the author can
 * restore it.
 */
const isDeletedByAuthor = ({ discussion, posts }: DiscussionData) =>
  discussion.lastNumber === 1 && posts[0]?.stub === "deleted";

/**
 * Link to the group, whose page tells banned members the reason. Undefined for a secret group, which banned
 * members may not see.
 */
const findGroupLink = ({ group: { slug, name, visibility } }: DiscussionData["discussion"]) =>
  visibility === "secret" ? undefined : { href: urls.group(slug), name };

/** Replies that are being sent. Once a reply is stored, the post replaces it, possibly on another page. */
function useReplies(discussionData: DiscussionData) {
  const { discussion, posts, place, draft } = discussionData;
  const { me } = useRootData();
  const navigate = useNavigate();
  const { items, ...rest } = useUnsentPosts({
    target: place,
    draft,
    to: urls.sendReply(discussion.id),
    personId: me?.id,
    onSent: ({ number, plain, discussionId = discussion.id }) =>
      void navigate(
        urls.discussion(discussionId, {
          ...pageRangeParams(discussionData),
          post: number ?? undefined,
          plain: plain.join(" "),
        }),
        {
          replace: true,
          preventScrollReset: true,
        },
      ),
  });
  return {
    ...rest,
    items: items.filter(({ number }) => number !== null && !posts.some((post) => post.number === number)),
  };
}
