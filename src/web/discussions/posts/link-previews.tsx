import type { PostView } from "#community/discussions";
import { ActionForm } from "../../people/action-form.tsx";
import { useTranslate } from "../../i18n/index.ts";

/** Previews of pages that a post links to. The post's author can remove them. */
export function LinkPreviews({ post, cards }: { post: PostView; cards: NonNullable<PostView["cards"]> }) {
  const t = useTranslate();
  return (
    <ul className="mt-3 grid grid-cols-1 gap-2">
      {cards.map((it) => (
        <li key={it.address} className="panel p-3">
          <p dir="auto" className="text-small text-quiet">
            {it.site}
          </p>
          <p dir="auto" className="font-semibold break-words">
            <a href={it.address} rel="noopener nofollow ugc">
              {it.title}
            </a>
          </p>
          {it.description && (
            <p dir="auto" className="mt-1 text-small break-words">
              {it.description}
            </p>
          )}
          {post.mine && (
            <ActionForm
              intent="remove-link-preview"
              fields={{ postId: post.id, address: it.address }}
              kind="quiet"
              busy={t("Removing…")}
            >
              {t("Remove this preview")}
            </ActionForm>
          )}
        </li>
      ))}
    </ul>
  );
}
