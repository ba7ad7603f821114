import type { ReactNode } from "react";
import type { PostView } from "#community/discussions";
import { useTranslate } from "../../i18n/index.ts";

/** Collapses a post of a muted person or with a filtered phrase, and says why. The post expands in place. */
export function CollapsedPost({ post, children }: { post: PostView; children: ReactNode }) {
  const t = useTranslate();
  if (post.muted)
    return (
      <Collapsed why={t("You muted {name}", { name: post.author?.name ?? t("Someone") })}>
        {children}
      </Collapsed>
    );
  return post.filtered === undefined ? (
    children
  ) : (
    <CollapsedByFilter phrase={post.filtered}>{children}</CollapsedByFilter>
  );
}

/** Collapses content with a filtered phrase. */
export function CollapsedByFilter({ phrase, children }: { phrase: string; children: ReactNode }) {
  const t = useTranslate();
  return <Collapsed why={t("Filtered: {phrase}", { phrase })}>{children}</Collapsed>;
}

function Collapsed({ why, children }: { why: string; children: ReactNode }) {
  const t = useTranslate();
  return (
    <details className="veil">
      <summary>
        <bdi>{why}</bdi> · <span>{t("Show")}</span>
      </summary>
      {children}
    </details>
  );
}
