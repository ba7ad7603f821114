import type { PostView } from "#community/discussions";
import { ActionForm } from "../../people/action-form.tsx";
import { LazyMenu, useRootData } from "../../ui/index.ts";
import { ShareLink } from "../../ui/menus/share-link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { type PostContext, type PostDisplayContext, postLink } from "./post-context.ts";
import { ReactionButtons } from "./reaction-buttons.tsx";
import { Link } from "../../ui/navigation/link.tsx";

type PostFooterProps = {
  post: PostView;
  context: PostDisplayContext;
  openActions?: PostContext["openActions"];
};

/** Actions of a post: react, reply and, for its author, edit and delete. */
export function PostFooter(props: PostFooterProps) {
  const { post, context } = props;
  const t = useTranslate();
  const { me } = useRootData();
  const name = post.author?.name ?? t("Someone");
  return (
    <footer className="post-foot">
      <ReactionButtons post={post} canReact={context.can.react} menu={menuLink("react", props)} />
      <span>
        {context.can.reply && (
          <Link
            to={postLink(context, post.number, { reply: post.id })}
            className="button"
            data-kind="quiet"
            data-reply
            aria-label={t("Reply to {name}, post {number}", { name, number: post.number })}
            preventScrollReset
          >
            <i className="icon icon-reply" />
            {t("Reply")}
          </Link>
        )}
        {me ? (
          <PostMenu {...props} />
        ) : (
          <ReportLink
            post={post}
            className="button text-small"
            data-kind="quiet"
            aria-label={t("Report post {number}", { number: post.number })}
          />
        )}
      </span>
    </footer>
  );
}

type ReportLinkProps = { post: PostView; className: string; "data-kind"?: "quiet"; "aria-label"?: string };

function ReportLink({ post, ...rest }: ReportLinkProps) {
  const t = useTranslate();
  return (
    <Link to={urls.reportPost(post.id)} {...rest}>
      <i className="icon icon-flag" />
      {t("Report…")}
    </Link>
  );
}

/**
 * Address on which one of a post's menus is open without scripts, and whether the current page is that
 * address.
 */
const menuLink = (what: "react" | "more", { post, context, openActions }: PostFooterProps) => ({
  to: postLink(context, post.number, { [what]: post.id }),
  open: openActions?.[what] === post.id,
});

function PostMenu(props: PostFooterProps) {
  const { post, context } = props;
  const { discussion, can } = context;
  const t = useTranslate();
  const { now } = useRootData();
  const doing = (what: string) => postLink(context, post.number, { [what]: post.id });
  const editable =
    post.amendable || (post.editable && !(post.editable.until && post.editable.until.getTime() <= now));
  const answers = can.resolve && post.number > 1 && discussion.answer?.id !== post.id;
  return (
    <LazyMenu
      {...menuLink("more", props)}
      label={t("More for post {number}", { number: post.number })}
      summary={<i className="icon icon-ellipsis" />}
    >
      {() => (
        <>
          <ShareLink to={urls.post(post.id)} />
          {!context.comments && (
            <Link to={doing("keep")} className="menu-item">
              <i className="icon icon-bookmark" />
              {post.bookmarked ? t("Edit note…") : t("Bookmark…")}
            </Link>
          )}
          {!context.comments && (
            <Link to={urls.newResource({ post: post.id })} className="menu-item">
              <i className="icon icon-book-open" />
              {t("Save as resource…")}
            </Link>
          )}
          {editable && (
            <Link to={doing("edit")} className="menu-item">
              <i className="icon icon-pencil" />
              {t("Edit")}
            </Link>
          )}
          {(post.mine || can.moderate) && (
            <Link to={doing("remove")} className="menu-item">
              <i className="icon icon-trash" />
              {post.mine ? t("Delete…") : t("Remove…")}
            </Link>
          )}
          {answers && can.resolve === "own" && (
            <ActionForm inMenu intent="resolve" fields={{ postId: post.id }} busy={t("Marking…")}>
              {t("Mark as answer")}
            </ActionForm>
          )}
          {answers && can.resolve === "lead" && (
            <Link
              to={urls.manageDiscussion(discussion.id, { do: "answer", post: String(post.number) })}
              className="menu-item"
            >
              {t("Mark as answer…")}
            </Link>
          )}
          {can.moderate && !context.comments && post.number > 1 && (
            <Link
              to={urls.manageDiscussion(discussion.id, { do: "split", posts: `${post.number}-` })}
              className="menu-item"
            >
              {t("Split from here…")}
            </Link>
          )}
          {!post.mine && <ReportLink post={post} className="menu-item" />}
          {!context.comments && (
            <ActionForm inMenu intent="unread" fields={{ from: String(post.number) }} busy={t("Marking…")}>
              {t("Mark unread from here")}
            </ActionForm>
          )}
        </>
      )}
    </LazyMenu>
  );
}
