import { type MouseEvent, useId, useState } from "react";
import type { PostView } from "#community/discussions";
import { Prose, useMarkedName } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

type ParentPost = NonNullable<PostView["replyTo"]>;
type RepliedToLinkProps = {
  to: ParentPost;
  /** Whether that post is on this page. */
  isHere: boolean;
  /** Language of the discussion. */
  language: string;
};

/** Link to the post that this one replies to. With scripts, a plain click expands that post in place. */
export function RepliedToLink({ to, isHere, language }: RepliedToLinkProps) {
  const t = useTranslate();
  const markedName = useMarkedName();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [html, setHtml] = useState<string | null>(null);
  const href = isHere ? `#post-${to.number}` : urls.postHere(to.number);
  const toggle = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(!open);
    if (html === null) setHtml(await fetchPostText(to.id));
  };
  return (
    <>
      <Link
        to={href}
        onClick={toggle}
        aria-expanded={open || undefined}
        aria-controls={open ? id : undefined}
        className="reply-chip"
      >
        <span className="max-w-2/3 flex-none truncate font-semibold">
          {t("Reply to {name}, #{number}", {
            name: to.author ? markedName(to.author) : t("Someone"),
            number: to.number,
          })}
        </span>
        <span dir="auto" className="truncate">
          {to.excerpt}
        </span>
      </Link>
      {open && (
        <div id={id} role="status" className="mb-4 border-s-[3px] border-line ps-4">
          {html === null ? <p className="text-quiet">{to.excerpt}</p> : <Prose html={html} lang={language} />}
          <Link to={href} className="text-small">
            {t("Go to post {number}", { number: to.number })}
          </Link>
        </div>
      )}
    </>
  );
}

/**
 * Fetches the post's text without the anchors of its footnotes, since the same post may also be on the page
 * with the same ids.
 */
async function fetchPostText(postId: string): Promise<string | null> {
  const answer = await fetch(urls.onePost(postId)).catch(() => null);
  const post: { html: string | null } | null = answer?.ok ? await answer.json().catch(() => null) : null;
  return post?.html?.replaceAll(/ id="fn[^"]*"/g, "") ?? null;
}
