import type { ReactNode } from "react";
import type { PostView } from "#community/discussions";
import { useWords } from "../words/index.ts";

/** Collapses a post of a muted person or with a filtered phrase, with the reason; it opens in place. */
export function Veil({ post, children }: { post: PostView; children: ReactNode }) {
  const t = useWords();
  if (post.muted) return <Fold why={t("You muted {name}", { name: post.author?.name ?? t("Somebody") })}>{children}</Fold>;
  return post.filtered === undefined ? children : <Folded phrase={post.filtered}>{children}</Folded>;
}

/** Collapses content with a filtered phrase. */
export function Folded({ phrase, children }: { phrase: string; children: ReactNode }) {
  const t = useWords();
  return <Fold why={t("Filtered: {phrase}", { phrase })}>{children}</Fold>;
}

function Fold({ why, children }: { why: string; children: ReactNode }) {
  const t = useWords();
  return (
    <details className="veil">
      <summary>
        <bdi>{why}</bdi> · <span>{t("Show")}</span>
      </summary>
      {children}
    </details>
  );
}
