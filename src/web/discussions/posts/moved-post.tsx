import type { PostView } from "#community/discussions";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/** The stub of a moved post, with a link to its new position. */
export function MovedPost({ post: { number, movedTo } }: { post: PostView }) {
  const t = useTranslate();
  return (
    <p id={`post-${number}`} className="scroll-mt-16 border-t border-line py-2 text-small text-quiet">
      <span className="figures">#{number}</span>{" "}
      {movedTo ? (
        <Rich
          text="moved to <0>{title}</0>"
          values={{ title: movedTo.title }}
          parts={{ 0: <Link to={urls.discussion(movedTo.discussionId, { post: movedTo.number })} /> }}
        />
      ) : (
        t("moved to another discussion")
      )}
    </p>
  );
}
