import { useEffect } from "react";
import { LIMITS } from "#community/rules";
import { DraftSaver } from "../discussions/drafts/draft-saver.tsx";
import { ReadOnlyDraft } from "../discussions/replies/read-only-text.tsx";
import { NewRepliesLink } from "../discussions/reading/new-replies-link.tsx";
import { UnresolvedMentionsNotice } from "../discussions/replies/unresolved-mentions.tsx";
import { OwnPendingPosts } from "../discussions/replies/own-pending-posts.tsx";
import { Post } from "../discussions/posts/post.tsx";
import type { PostContext } from "../discussions/posts/post-context.ts";
import { ReactionForm } from "../discussions/posts/reaction-buttons.tsx";
import { ReplyTarget } from "../discussions/replies/reply-form.tsx";
import { useGroupTexts } from "../groups/group-texts.ts";
import { Composer, NextPageLink, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { urls } from "../urls.ts";
import type { RejectedForm } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { ResourcePageData } from "./resource-data.ts";
import { useLiveComments } from "./use-live-comments.ts";
import { SignInToSend } from "../account/sign-in/sign-in-to-send.tsx";

/** Comments on a resource. They are posts, as in a discussion. */
export function ResourceComments({
  page: loaded,
  onAccessLost,
}: {
  page: ResourcePageData;
  onAccessLost: () => Promise<void>;
}) {
  const t = useTranslate();
  const { me } = useRootData();
  const { page, end, waiting, listening } = useLiveComments(loaded, onAccessLost);
  const { resource, comments, after, more, can, plain } = page;
  const context = toPostContainer(page);
  useFocusReplyField(page.openActions.replyTo !== null);
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
      {comments.length === 0 && (
        <p className="mt-1 text-quiet">{t("No comments yet. What did this resource help you with?")}</p>
      )}
      <div className="mt-2">
        {comments.map((post) => (
          <Post key={post.id} post={post} context={context} />
        ))}
      </div>
      {can.comment && <ReactionForm />}
      <div ref={end} />
      <NextPageLink to={more === null ? null : urls.resource(resource.id, { after: more })} />
      {me && (
        <NewRepliesLink
          to={urls.resource(resource.id, { post: waiting.first })}
          waiting={waiting}
          words={t("{count, plural, one {# new comment} other {# new comments}}", {
            count: waiting.count || waiting.arrived,
          })}
        />
      )}
      {plain && <UnresolvedMentionsNotice {...plain} />}
      <OwnPendingPosts pendingPosts={page.pendingPosts} />
      <WriteComment page={page} />
    </section>
  );
}

/** Returns a resource as the container of its comments. */
const toPostContainer = ({ resource, comments, place, openActions, can }: ResourcePageData): PostContext => ({
  discussion: { ...resource, answer: null, lastNumber: comments.at(-1)?.number ?? 0 },
  posts: comments,
  place,
  openActions,
  can: { reply: can.comment, react: can.comment, moderate: can.moderate, resolve: false },
  comments: true,
});

/** Focuses the composer when replying. */
function useFocusReplyField(answering: boolean) {
  useEffect(() => {
    if (answering)
      document.querySelector<HTMLElement>('form[data-composer="comment"] textarea[name="body"]')?.focus();
  }, [answering]);
}

/** Comment form. Guests may write too: submitting asks them to sign in and keeps the text. */
function WriteComment({ page }: { page: ResourcePageData }) {
  const t = useTranslate();
  const { me } = useRootData();
  const { audience } = useGroupTexts();
  const { resource, draft, place, clientId, can, comments, openActions } = page;
  const answer = useFormResult<RejectedForm | undefined>();
  const refused = answer && "refused" in answer && answer.typed["intent"] === "comment" ? answer : undefined;
  if (resource.removedAt) return null;
  if (me && !can.comment)
    return (
      <>
        {can.limited && (
          <p className="mt-4">
            <Link to={urls.loginPage("standing")}>{t("Your account cannot post at the moment.")}</Link>
          </p>
        )}
        {resource.group && !can.limited && (
          <p className="mt-4 text-quiet">
            {t("Only members of {group} can comment here.", { group: resource.group.name })}
          </p>
        )}
        <ReadOnlyDraft draft={draft} />
      </>
    );
  return (
    <div
      id="reply"
      className="reply-form mt-6 scroll-mt-16"
      data-sheet={openActions.replyTo !== null || undefined}
    >
      {refused?.refused.reason === "not-signed-in" && (
        <SignInToSend text={refused.typed["body"] ?? ""} place={place} />
      )}
      {/* A submitted comment clears the composer. */}
      <Composer
        key={`${comments.findLast((it) => it.mine)?.id} ${openActions.quote ? openActions.replyTo?.id : ""}`}
        intent="comment"
        place={place}
        allowsMentions={me !== null}
        previews={me !== null}
        label={t("Your comment")}
        send={t("Comment")}
        sending={t("Sending…")}
        audience={audience(resource.group, resource.audience)}
        most={LIMITS.comment}
        draft={[draft?.body, openActions.quote].filter(Boolean).join("\n\n")}
      >
        <input type="hidden" name="clientId" value={clientId} />
        {openActions.replyTo && (
          <ReplyTarget
            to={openActions.replyTo}
            it={{}}
            away={`${urls.resource(resource.id, { after: page.after || undefined })}#reply`}
          />
        )}
        {me && <DraftSaver target={place} draft={draft} />}
      </Composer>
    </div>
  );
}
