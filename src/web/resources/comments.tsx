import { useEffect } from "react";
import { LIMITS } from "#community/rules";
import { DraftKeeper } from "../discussions/draft-keeper.tsx";
import { KeptDraft } from "../discussions/kept-text.tsx";
import { NewReplies } from "../discussions/new-replies.tsx";
import { LeftPlain } from "../discussions/left-plain.tsx";
import { OwnHeld } from "../discussions/own-held.tsx";
import { Post } from "../discussions/post.tsx";
import type { PostPlace } from "../discussions/post-place.ts";
import { ReactionForm } from "../discussions/reactions.tsx";
import { Answering } from "../discussions/reply-box.tsx";
import { useGroupWords } from "../groups/words.ts";
import { ButtonLink, Composer, useRoot } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { urls } from "../urls.ts";
import type { Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { ResourcePageData } from "./resource-data.ts";
import { useLiveComments } from "./use-live-comments.ts";
import { SignInToSend } from "../account/sign-in-to-send.tsx";

/** Comments on a resource: posts, as in a discussion. */
export function Comments({ page: loaded, shut }: { page: ResourcePageData; shut: () => Promise<void> }) {
  const t = useWords();
  const { me } = useRoot();
  const { page, end, waiting, listening } = useLiveComments(loaded, shut);
  const { resource, comments, after, more, may, plain } = page;
  const it = placeOf(page);
  useOpenAt(page.doing.replyTo !== null);
  return (
    <section
      aria-labelledby="comments"
      className="mt-10 max-w-column border-t border-line pt-6 print:hidden"
      data-listening={listening || undefined}
    >
      <h2 id="comments" className="text-large font-semibold">
        {t("{count, plural, =0 {Comments} one {# comment} other {# comments}}", { count: resource.comments })}
      </h2>
      {after > 0 && (
        <p className="mt-3">
          <Link to={`${urls.resource(resource.id)}#comments`}>{t("From the first comment")}</Link>
        </p>
      )}
      {comments.length === 0 && <p className="mt-1 text-quiet">{t("Nobody has said anything about it yet. What did it help you with?")}</p>}
      <div className="mt-2">
        {comments.map((post) => (
          <Post key={post.id} post={post} it={it} />
        ))}
      </div>
      {may.comment && <ReactionForm />}
      <div ref={end} />
      {more !== null && (
        <p className="mt-4 text-center">
          <ButtonLink to={urls.resource(resource.id, { after: more })} preventScrollReset>
            {t("Show more")}
          </ButtonLink>
        </p>
      )}
      {me && (
        <NewReplies
          to={urls.resource(resource.id, { post: waiting.first })}
          waiting={waiting}
          words={t("{count, plural, one {# new comment} other {# new comments}}", { count: waiting.count || waiting.arrived })}
        />
      )}
      {plain && <LeftPlain {...plain} />}
      <OwnHeld held={page.held} />
      <WriteComment page={page} />
    </section>
  );
}

/** A resource as the container of its comments. */
const placeOf = ({ resource, comments, place, doing, may }: ResourcePageData): PostPlace => ({
  discussion: { ...resource, answer: null, lastNumber: comments.at(-1)?.number ?? 0 },
  posts: comments,
  place,
  doing,
  may: { reply: may.comment, react: may.comment, moderate: may.moderate, resolve: false },
  comments: true,
});

/** Focuses the composer when replying. */
function useOpenAt(answering: boolean) {
  useEffect(() => {
    if (answering) document.querySelector<HTMLElement>('form[data-composer="comment"] textarea[name="body"]')?.focus();
  }, [answering]);
}

/** Guests may write too: submitting asks them to sign in and keeps the text. */
function WriteComment({ page }: { page: ResourcePageData }) {
  const t = useWords();
  const { me } = useRoot();
  const { audience } = useGroupWords();
  const { resource, draft, place, clientId, may, comments, doing } = page;
  const answer = useAnswer<Refused | undefined>();
  const refused = answer && "refused" in answer && answer.typed["intent"] === "comment" ? answer : undefined;
  if (resource.removedAt) return null;
  if (me && !may.comment)
    return (
      <>
        {may.limited && (
          <p className="mt-4">
            <Link to={urls.loginPage("standing")}>{t("Your account can write nothing at the moment.")}</Link>
          </p>
        )}
        {resource.group && !may.limited && (
          <p className="mt-4 text-quiet">{t("Members of {group} comment here.", { group: resource.group.name })}</p>
        )}
        <KeptDraft draft={draft} />
      </>
    );
  return (
    <div id="reply" className="mt-6 scroll-mt-16">
      {refused?.refused.reason === "not-signed-in" && <SignInToSend text={refused.typed["body"] ?? ""} place={place} />}
      {/* A submitted comment clears the composer. */}
      <Composer
        key={`${comments.findLast((it) => it.mine)?.id} ${doing.quote ? doing.replyTo?.id : ""}`}
        intent="comment"
        place={place}
        calls={me !== null}
        previews={me !== null}
        label={t("Your comment")}
        send={t("Comment")}
        sending={t("Sending…")}
        audience={audience(resource.group, resource.audience)}
        most={LIMITS.comment}
        draft={[draft?.body, doing.quote].filter(Boolean).join("\n\n")}
      >
        <input type="hidden" name="clientId" value={clientId} />
        {doing.replyTo && (
          <Answering to={doing.replyTo} it={{}} away={`${urls.resource(resource.id, { after: page.after || undefined })}#reply`} />
        )}
        {me && <DraftKeeper place={place} draft={draft} />}
      </Composer>
    </div>
  );
}
