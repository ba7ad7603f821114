import type { InspectedPost } from "#community/moderation";
import { PersonLink, Prose, Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { PageLinks } from "../ui/navigation/page-links.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

type Props = {
  it: {
    group: { id: string };
    discussionId: string;
    title: string;
    posts: InspectedPost[];
    page: number;
    pages: number;
  };
};

/** One page of a discussion, read-only, during an inspection. */
export function InspectedPosts({ it: { group, discussionId, title, posts, page, pages } }: Props) {
  const t = useTranslate();
  const pageAt = (n: number) => urls.inspectGroup(group.id, { discussion: discussionId, page: n });
  return (
    <>
      <p className="mt-4">
        <Link to={urls.inspectGroup(group.id)}>{t("Discussions")}</Link>
      </p>
      <h2 dir="auto" className="mt-2 mb-3 break-words text-large font-semibold">
        {title}
      </h2>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {posts.map((post) => (
          <InspectedPostItem key={post.id} post={post} />
        ))}
      </ol>
      {pages > 1 && (
        <PageLinks
          previous={page > 1 ? pageAt(page - 1) : null}
          next={page < pages ? pageAt(page + 1) : null}
        >
          {t("Page {page} of {pages}", { page, pages })}
        </PageLinks>
      )}
    </>
  );
}

function InspectedPostItem({ post }: { post: InspectedPost }) {
  const t = useTranslate();
  return (
    <li className="rounded-panel border border-line bg-surface p-3">
      <p className="mb-1 flex flex-wrap items-center gap-2 text-small text-quiet">
        <PersonLink person={post.author} size={24} /> <span>#{post.number}</span> <Time at={post.createdAt} />
      </p>
      {post.html === null ? (
        <p className="text-quiet">{t("This content was removed.")}</p>
      ) : (
        <Prose html={post.html} />
      )}
    </li>
  );
}
