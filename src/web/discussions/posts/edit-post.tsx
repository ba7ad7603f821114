import type { PostView } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { ButtonLink, Composer, TextField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { DraftSaver } from "../drafts/draft-saver.tsx";
import { type PostContext, postLink } from "./post-context.ts";

type EditPostProps = {
  post: PostView;
  context: PostContext;
  source: NonNullable<PostContext["openActions"]["edit"]>;
};

/** A form to edit the post in place. After an edit conflict it shows both texts. */
export function EditPost({ post, context, source }: EditPostProps) {
  const { discussion, place, comments } = context;
  const t = useTranslate();
  const { audience } = useGroupTexts();
  const answer = useFormResult<RejectedForm | null>();
  const { draft } = source;
  const begun = draft !== null && draft.body !== source.body && !answer;
  return (
    <>
      {(begun || answer?.refused?.reason === "conflict") && (
        <div className="notice mb-3" data-tone="pending">
          <div className="field flex-1">
            {begun && <p>{t("Your unfinished edit is below.")}</p>}
            <label htmlFor="text-now">{t("Current text")}</label>
            <textarea id="text-now" readOnly rows={5} dir="auto" value={source.body} className="input" />
          </div>
        </div>
      )}
      <Composer
        intent="edit"
        place={place}
        allowsMentions
        previews
        label={post.mine ? t("Your post") : t("Post of {name}", { name: post.author?.name ?? t("Someone") })}
        send={t("Save")}
        sending={t("Saving…")}
        audience={audience(discussion.group, discussion.audience)}
        most={comments ? LIMITS.comment : LIMITS.post}
        draft={draft?.body || source.body}
      >
        <input type="hidden" name="postId" value={post.id} />
        <input type="hidden" name="version" value={source.version} />
        <DraftSaver target={`post:${post.id}`} draft={draft} />
        {!post.mine && (
          <TextField
            name="reason"
            label={t("Reason")}
            hint={t("{name} and all readers can see who edited it, and why.", {
              name: post.author?.name ?? t("Someone"),
            })}
            required
            maxLength={LIMITS.reason}
            dir="auto"
            autoComplete="off"
          />
        )}
      </Composer>
      <p className="mt-2">
        <ButtonLink kind="quiet" to={postLink(context, post.number)}>
          {t("Cancel")}
        </ButtonLink>
      </p>
    </>
  );
}
