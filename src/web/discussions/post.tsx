import { Fragment, use } from "react";
import type { PostView } from "#community/discussions";
import { useGroupWords } from "../groups/words.ts";
import { type PagePieces, PiecesContext } from "../pieces.ts";
import { Prose, Time, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useLocale, useWords } from "../words/index.ts";
import { type PostPlace, wayTo } from "./post-place.ts";
import { Face } from "./face.tsx";
import { LinkCards } from "./link-cards.tsx";
import { Poll } from "./poll.tsx";
import { PostFoot } from "./post-foot.tsx";
import { whatMakes } from "./post-piece.ts";
import { ReplyChip } from "./reply-chip.tsx";
import { Link } from "../ui/link.tsx";
import { Veil } from "./veil.tsx";
import { MovedPost } from "./moved-post.tsx";
import { HiddenLine } from "./hidden-line.tsx";
import { KeepPost } from "./keep-post.tsx";
import { EditPost } from "./edit-post.tsx";
import { TakePost } from "./take-post.tsx";

type Props = { post: PostView; it: PostPlace };

/** One post with a heading of its own, so that screen reader users can jump from post to post. */
export function Post({ post, it }: Props) {
  const pieces = use(PiecesContext);
  if (post.stub === "moved") return <MovedPost post={post} />;
  return pieces ? <PostInPieces post={post} it={it} pieces={pieces} /> : <WholePost post={post} it={it} />;
}

/**
 * The server inserts the cached HTML of a post with the same key; the browser hydrates it as if it had just
 * been rendered.
 */
function PostInPieces({ post, it, pieces }: Props & { pieces: PagePieces }) {
  const madeOf = whatMakes(post, it, useRoot(), useLocale());
  const inside = madeOf === null ? undefined : pieces.find(madeOf);
  if (inside !== undefined) return <article {...frameOf(post)} dangerouslySetInnerHTML={{ __html: inside }} />;
  if (madeOf !== null) pieces.making(frameOf(post).id, madeOf);
  return <WholePost post={post} it={it} />;
}

const frameOf = ({ number }: PostView) => ({
  id: `post-${number}`,
  "aria-labelledby": `post-${number}-by`,
  tabIndex: -1,
  "data-item": true,
  className: "post",
});

function WholePost({ post, it }: Props) {
  const { discussion, doing } = it;
  return (
    <article {...frameOf(post)}>
      <PostHead post={post} discussion={discussion} />
      {post.replyTo && <ReplyChip to={post.replyTo} it={it} />}
      {post.hidden && <HiddenLine post={post} it={it} />}
      {post.stub && <StubLine post={post} it={it} />}
      <Veil post={post}>
        {post.html !== null &&
          (doing.edit?.postId === post.id ? (
            <EditPost it={it} post={post} source={doing.edit} />
          ) : (
            <Prose html={post.html} lang={discussion.language} />
          ))}
        {post.poll && <Poll post={post} poll={post.poll} may={it.may.reply} />}
        {post.kept && <KeptAs kept={post.kept} />}
        {post.cards && <LinkCards post={post} cards={post.cards} />}
      </Veil>
      {doing.keep?.postId === post.id && post.html !== null && <KeepPost post={post} it={it} before={doing.keep.before} />}
      {(doing.remove === post.id || doing.restore === post.id) && <TakePost it={it} post={post} />}
      {post.html !== null && <PostFoot post={post} it={it} />}
    </article>
  );
}

/** Links to the library resource made of this post. */
function KeptAs({ kept }: { kept: NonNullable<PostView["kept"]> }) {
  const t = useWords();
  return (
    <p className="mt-2 text-small text-quiet">
      {t("Kept in the library:")}{" "}
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

function PostHead({ post, discussion }: { post: PostView; discussion: PostPlace["discussion"] }) {
  const t = useWords();
  const { role } = useGroupWords();
  const { author, number } = post;
  return (
    <header className="post-head">
      <Face person={author} size={40} />
      <div>
        <h2 id={`post-${number}-by`} className="post-by">
          {author ? (
            <Link to={urls.person(author.id)} dir="auto">
              {author.name}
            </Link>
          ) : (
            <span className="text-quiet">{t("Somebody")}</span>
          )}
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
                {post.editedBy ? t("changed by {name}", { name: post.editedBy.name }) : t("edited")} <Time at={post.editedAt} />
              </Link>
            </>
          )}
          {post.bookmarked && (
            <>
              {" "}
              ·{" "}
              <Link to={urls.bookmarks()} aria-label={t("Kept among your bookmarks")}>
                {t("Kept")}
              </Link>
            </>
          )}
        </p>
      </div>
      <Link to={urls.postHere(number)} className="post-number" aria-label={t("Link to post {number}", { number })}>
        {`#${number}`}
      </Link>
    </header>
  );
}

/** A stub keeps the post's number and says why there is no text. */
function StubLine({ post, it }: Props) {
  const { may } = it;
  const t = useWords();
  const doing = (what: string) => wayTo(it, post.number, { [what]: post.id });
  const words = {
    deleted: t("Its author has deleted this post."),
    removed: t("This post was removed by those who look after the group."),
    hidden: t("This post is hidden until somebody has looked at it."),
    blocked: t("Hidden post."),
    "blocked-by-viewer": t("You have blocked this person."),
    filtered: t("Hidden by one of your filters."),
  }[post.stub === null || post.stub === "moved" ? "blocked" : post.stub];
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-quiet">
      {words} {post.why && <span dir="auto">{t("Reason: {reason}", { reason: post.why })} </span>}
      {post.mine && post.stub === "removed" && <Link to={urls.appealRemoval(post.id)}>{t("Ask that it comes back…")}</Link>}
      {(post.stub === "blocked-by-viewer" || (may.moderate && post.stub === "filtered")) && (
        <Link to={doing("show")}>{t("Show this post")}</Link>
      )}
      {may.moderate && post.stub === "removed" && (
        <>
          <Link to={urls.history(post.id)}>{t("What it said")}</Link> <Link to={doing("restore")}>{t("Restore…")}</Link>
        </>
      )}
    </p>
  );
}
