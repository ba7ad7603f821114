import { Fragment, Suspense } from "react";
import type { PostView } from "#community/discussions";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { PersonName, Prose, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { CachedMarkup } from "../../cached-markup/index.ts";
import { type PostContext, type PostDisplayContext, postLink, toDisplayContext } from "./post-context.ts";
import { AuthorAvatar } from "./author-avatar.tsx";
import { LinkPreviews } from "./link-previews.tsx";
import { Poll } from "../polls/poll.tsx";
import { PostFooter } from "./post-footer.tsx";
import { RepliedToLink } from "../replies/replied-to-link.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { CollapsedPost } from "./collapsed-post.tsx";
import { MovedPost } from "./moved-post.tsx";
import { BookmarkForm, EditPost, HiddenNotice, RemoveOrRestorePost } from "./lazy-post-forms.ts";

/** One post with a heading of its own, so that screen reader users can jump from post to post. */
export function Post({ post, context }: { post: PostView; context: PostContext }) {
  if (post.stub === "moved") return <MovedPost post={post} />;
  const opened = isActionOpen(post, context.openActions) ? context : undefined;
  // Their forms are sent to the address of the page.
  const hasForms = post.hidden || post.poll || (post.mine && post.cards);
  return (
    <CachedMarkup
      id={`post-${post.number}`}
      aria-labelledby={`post-${post.number}-by`}
      tabIndex={-1}
      data-item
      className="post"
      component={PostContent}
      values={{
        post,
        context: toDisplayContext(context),
        repliedToHere: context.posts.some(({ number }) => number === post.replyTo?.number),
        opened,
      }}
      times={[post.createdAt, post.editedAt]}
      cacheable={!opened && !hasForms}
    />
  );
}

const isActionOpen = (
  { id }: PostView,
  { edit, keep, remove, restore, react, more }: PostContext["openActions"],
) => [edit?.postId, keep?.postId, remove, restore, react, more].includes(id);

type PostProps = { post: PostView; context: PostDisplayContext };
type PostContentProps = PostProps & {
  /** Whether the post that this one replies to is on the same page. */
  repliedToHere: boolean;
  /** The whole context if an action is open on this post. */
  opened?: PostContext;
};

function PostContent({ post, context, repliedToHere, opened }: PostContentProps) {
  const { discussion } = context;
  const { edit, keep, remove, restore } = opened?.openActions ?? {};
  return (
    <>
      <PostHeader post={post} discussion={discussion} />
      {post.replyTo && (
        <RepliedToLink to={post.replyTo} isHere={repliedToHere} language={discussion.language} />
      )}
      {post.hidden && (
        <Suspense>
          <HiddenNotice post={post} context={context} />
        </Suspense>
      )}
      {post.stub && <PostStub post={post} context={context} />}
      <CollapsedPost post={post}>
        {post.html !== null &&
          (opened && edit?.postId === post.id ? (
            <Suspense fallback={<Prose html={post.html} lang={discussion.language} />}>
              <EditPost context={opened} post={post} source={edit} />
            </Suspense>
          ) : (
            <Prose html={post.html} lang={discussion.language} />
          ))}
        {post.poll && <Poll post={post} poll={post.poll} canVote={context.can.reply} />}
        {post.kept && <SavedResourceLink kept={post.kept} />}
        {post.cards && <LinkPreviews post={post} cards={post.cards} />}
      </CollapsedPost>
      {opened && (
        <Suspense>
          {keep?.postId === post.id && post.html !== null && (
            <BookmarkForm post={post} context={opened} before={keep.before} />
          )}
          {(remove === post.id || restore === post.id) && (
            <RemoveOrRestorePost context={opened} post={post} />
          )}
        </Suspense>
      )}
      {post.html !== null && <PostFooter post={post} context={context} openActions={opened?.openActions} />}
    </>
  );
}

/** Link to the library resource that was made from this post. */
function SavedResourceLink({ kept }: { kept: NonNullable<PostView["kept"]> }) {
  const t = useTranslate();
  return (
    <p className="mt-2 text-small text-quiet">
      {t("Saved as resource:")}{" "}
      {kept.map(({ id, title }, i) => (
        <Fragment key={id}>
          {i > 0 && " · "}
          <Link to={urls.resource(id)} dir="auto">
            {title}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

function PostHeader({ post, discussion }: { post: PostView; discussion: PostDisplayContext["discussion"] }) {
  const t = useTranslate();
  const { role } = useGroupTexts();
  const { author, number } = post;
  return (
    <header className="post-head">
      <AuthorAvatar person={author} size={40} />
      <div>
        <h2 id={`post-${number}-by`} className="post-by">
          {author ? <PersonName person={author} /> : <span className="text-quiet">{t("Someone")}</span>}
          <span className="sr-only">{t("post {number}", { number })}</span>
          {author?.groupRole && author.groupRole !== "member" && <small>{role[author.groupRole]}</small>}
          {discussion.answer?.id === post.id && <mark>{t("The answer")}</mark>}
        </h2>
        <p>
          <Time at={post.createdAt} />
          {post.editedAt && (
            <>
              {" "}
              ·{" "}
              <Link to={urls.history(post.id)}>
                {post.editedBy ? t("edited by {name}", { name: post.editedBy.name }) : t("edited")}{" "}
                <Time at={post.editedAt} />
              </Link>
            </>
          )}
          {post.bookmarked && (
            <>
              {" "}
              ·{" "}
              <Link to={urls.bookmarks()} aria-label={t("Bookmarked")}>
                {t("Bookmarked")}
              </Link>
            </>
          )}
        </p>
      </div>
      <Link
        to={urls.postHere(number)}
        className="post-number"
        aria-label={t("Link to post {number}", { number })}
      >
        {`#${number}`}
      </Link>
    </header>
  );
}

/** Stub of a post without a visible text: its number, and the reason. */
function PostStub({ post, context }: PostProps) {
  const { can } = context;
  const t = useTranslate();
  const doing = (what: string) => postLink(context, post.number, { [what]: post.id });
  const words = {
    deleted: t("Deleted by the author."),
    removed: t("Removed by a moderator."),
    hidden: t("This post is hidden until a moderator has reviewed it."),
    blocked: t("Hidden post."),
    "blocked-by-viewer": t("You have blocked this person."),
    filtered: t("Hidden by a filter."),
  }[post.stub === null || post.stub === "moved" ? "blocked" : post.stub];
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-quiet">
      {words} {post.why && <span dir="auto">{t("Reason: {reason}", { reason: post.why })} </span>}
      {post.mine && post.stub === "removed" && <Link to={urls.appealRemoval(post.id)}>{t("Appeal…")}</Link>}
      {(post.stub === "blocked-by-viewer" || (can.moderate && post.stub === "filtered")) && (
        <Link to={doing("show")}>{t("Show post")}</Link>
      )}
      {can.moderate && post.stub === "removed" && (
        <>
          <Link to={urls.history(post.id)}>{t("Original text")}</Link>{" "}
          <Link to={doing("restore")}>{t("Restore…")}</Link>
        </>
      )}
    </p>
  );
}
