import { Fragment } from "react";
import type { PostView } from "#community/discussions";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { PersonName, Prose, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { type PostContext, postLink } from "./post-context.ts";
import { AuthorAvatar } from "./author-avatar.tsx";
import { LinkPreviews } from "./link-previews.tsx";
import { Poll } from "../polls/poll.tsx";
import { PostFooter } from "./post-footer.tsx";
import { RepliedToLink } from "../replies/replied-to-link.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { CollapsedPost } from "./collapsed-post.tsx";
import { MovedPost } from "./moved-post.tsx";
import { HiddenNotice } from "./hidden-notice.tsx";
import { BookmarkForm } from "./bookmark-form.tsx";
import { EditPost } from "./edit-post.tsx";
import { RemoveOrRestorePost } from "./remove-post.tsx";

type PostProps = { post: PostView; context: PostContext };

/** One post with a heading of its own, so that screen reader users can jump from post to post. */
export function Post({ post, context }: PostProps) {
  const { discussion, openActions } = context;
  if (post.stub === "moved") return <MovedPost post={post} />;
  return (
    <article
      id={`post-${post.number}`}
      aria-labelledby={`post-${post.number}-by`}
      tabIndex={-1}
      data-item
      className="post"
    >
      <PostHeader post={post} discussion={discussion} />
      {post.replyTo && <RepliedToLink to={post.replyTo} context={context} />}
      {post.hidden && <HiddenNotice post={post} context={context} />}
      {post.stub && <PostStub post={post} context={context} />}
      <CollapsedPost post={post}>
        {post.html !== null &&
          (openActions.edit?.postId === post.id ? (
            <EditPost context={context} post={post} source={openActions.edit} />
          ) : (
            <Prose html={post.html} lang={discussion.language} />
          ))}
        {post.poll && <Poll post={post} poll={post.poll} canVote={context.can.reply} />}
        {post.kept && <SavedResourceLink kept={post.kept} />}
        {post.cards && <LinkPreviews post={post} cards={post.cards} />}
      </CollapsedPost>
      {openActions.keep?.postId === post.id && post.html !== null && (
        <BookmarkForm post={post} context={context} before={openActions.keep.before} />
      )}
      {(openActions.remove === post.id || openActions.restore === post.id) && (
        <RemoveOrRestorePost context={context} post={post} />
      )}
      {post.html !== null && <PostFooter post={post} context={context} />}
    </article>
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

function PostHeader({ post, discussion }: { post: PostView; discussion: PostContext["discussion"] }) {
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
