import { useActionData } from "react-router";
import type { Comment } from "#community/resources";
import { LIMITS } from "#community/rules";
import { SignInToSend } from "../account/sign-in-dialog.tsx";
import { DraftKeeper } from "../discussions/draft-keeper.tsx";
import { Face } from "../discussions/face.tsx";
import { useGroupWords } from "../groups/words.ts";
import { ButtonLink, Composer, Prose, Time, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import type { Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { ResourcePageData } from "./resource-data.ts";
import { Link } from "../ui/link.tsx";

/** What is said about it, below it. */
export function Comments({ page }: { page: ResourcePageData }) {
  const t = useWords();
  const { resource, comments, after, more } = page;
  return (
    <section aria-labelledby="comments" className="mt-10 border-t border-line pt-6 print:hidden">
      <h2 id="comments" className="text-large font-semibold">
        {t("{count, plural, =0 {Comments} one {# comment} other {# comments}}", { count: resource.comments })}
      </h2>
      {after > 0 && (
        <p className="mt-3">
          <Link to={`${urls.resource(resource.id)}#comments`}>{t("From the first comment")}</Link>
        </p>
      )}
      {comments.length === 0 && <p className="mt-1 text-quiet">{t("Nobody has said anything about it yet. What did it help you with?")}</p>}
      <ol className="mt-2">
        {comments.map((it) => (
          <li key={it.id}>
            <OneComment comment={it} />
          </li>
        ))}
      </ol>
      {more !== null && (
        <p className="mt-4 text-center">
          <ButtonLink to={urls.resource(resource.id, { after: more })} preventScrollReset>
            {t("Show more")}
          </ButtonLink>
        </p>
      )}
      <WriteComment page={page} />
    </section>
  );
}

function OneComment({ comment }: { comment: Comment }) {
  const t = useWords();
  const name = comment.author?.name ?? t("Somebody");
  return (
    <article
      id={`comment-${comment.number}`}
      aria-label={t("Comment {number} by {name}", { number: comment.number, name })}
      className="flex scroll-mt-20 gap-3 border-b border-line py-4"
    >
      <Face person={comment.author} size={40} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 leading-6">
          {comment.author ? (
            <Link to={urls.person(comment.author.id)} dir="auto" className="font-semibold text-ink">
              {name}
            </Link>
          ) : (
            <span className="font-semibold">{name}</span>
          )}
          <a href={`#comment-${comment.number}`} className="text-small text-quiet">
            <Time at={comment.createdAt} />
          </a>
          {comment.editedAt && <span className="text-small text-quiet">{t("edited")}</span>}
        </p>
        {comment.html === null ? <p className="text-quiet">{stubWords(comment.stub, t)}</p> : <Prose html={comment.html} />}
      </div>
    </article>
  );
}

function stubWords(stub: Comment["stub"], t: ReturnType<typeof useWords>) {
  if (stub === "deleted") return t("This comment was deleted by its author.");
  if (stub === "removed") return t("This comment was removed by a moderator.");
  if (stub === "blocked-by-viewer") return t("A comment of somebody you blocked.");
  return t("This comment is hidden.");
}

/** A guest may write too: sending then asks them to sign in, and keeps the text. */
function WriteComment({ page }: { page: ResourcePageData }) {
  const t = useWords();
  const { me } = useRoot();
  const { audience } = useGroupWords();
  const { resource, draft, place, clientId, mayComment, comments } = page;
  const answer = useActionData<Refused | undefined>();
  const refused = answer && "refused" in answer ? answer : undefined;
  if (me && !mayComment)
    return resource.group ? (
      <p className="mt-4 text-quiet">{t("Members of {group} comment here.", { group: resource.group.name })}</p>
    ) : null;
  const who = resource.group ? audience(resource.group, resource.audience) : t("Visible to everyone, guests too");
  return (
    <div className="mt-6">
      {refused?.refused.reason === "not-signed-in" && <SignInToSend text={refused.typed["body"] ?? ""} place={place} />}
      {/* One's own new comment empties the composer. */}
      <Composer
        key={comments.findLast((it) => it.mine)?.id}
        intent="comment"
        label={t("Your comment")}
        send={t("Comment")}
        sending={t("Sending…")}
        audience={who}
        most={LIMITS.comment}
        draft={draft?.body}
      >
        <input type="hidden" name="clientId" value={clientId} />
        {me && <DraftKeeper place={place} draft={draft} />}
      </Composer>
    </div>
  );
}
