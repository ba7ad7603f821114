import type { ReactNode } from "react";
import type { PostView } from "#community/discussions";
import { useWords } from "../words/index.ts";

/** A post that its reader did not want to have before their eyes: folded, with the reason, and opened without asking anybody. */
export function Veil({ post, children }: { post: PostView; children: ReactNode }) {
  const t = useWords();
  if (!post.muted) return children;
  return (
    <details className="veil">
      <summary>
        {t("You muted {name}", { name: post.author?.name ?? t("Somebody") })} · <span>{t("Show")}</span>
      </summary>
      {children}
    </details>
  );
}
