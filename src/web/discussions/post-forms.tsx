import { Form, useActionData } from "react-router";
import type { PostView } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { useGroupWords } from "../groups/words.ts";
import { ButtonLink, Composer, SubmitButton, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import type { Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { PostPlace } from "./post-place.ts";

type Props = { post: PostView; it: PostPlace };

/** The post's own text, to be changed in its place. Where it has changed elsewhere meanwhile, both texts stand here. */
export function EditPost({ post, it: { discussion, place, comments }, source }: Props & { source: { body: string; version: number } }) {
  const t = useWords();
  const { audience } = useGroupWords();
  const answer = useActionData<Refused | null>();
  return (
    <>
      {answer?.refused?.reason === "conflict" && (
        <div className="notice mb-3" data-tone="pending">
          <div className="field flex-1">
            <label htmlFor="text-now">{t("What stands here now")}</label>
            <textarea id="text-now" readOnly rows={5} dir="auto" value={source.body} className="input" />
          </div>
        </div>
      )}
      <Composer
        intent="edit"
        place={place}
        calls
        previews
        label={post.mine ? t("Your post") : t("The post of {name}", { name: post.author?.name ?? t("Somebody") })}
        send={t("Save")}
        sending={t("Saving…")}
        audience={audience(discussion.group, discussion.audience)}
        most={comments ? LIMITS.comment : LIMITS.post}
        draft={source.body}
      >
        <input type="hidden" name="postId" value={post.id} />
        <input type="hidden" name="version" value={source.version} />
        {!post.mine && (
          <TextField
            name="reason"
            label={t("Reason")}
            hint={t("{name} and everybody who reads this can see who changed it, and why.", { name: post.author?.name ?? t("Somebody") })}
            required
            maxLength={LIMITS.reason}
            dir="auto"
            autoComplete="off"
          />
        )}
      </Composer>
      <p className="mt-2">
        <ButtonLink kind="quiet" to={urls.postHere(post.number)}>
          {t("Leave it as it was")}
        </ButtonLink>
      </p>
    </>
  );
}

/** Asks before a post goes; a post of somebody else's goes with a reason. */
export function RemovePost({ post, it: { discussion, comments } }: Props) {
  const t = useWords();
  const name = post.author?.name ?? t("Somebody");
  const gone = !comments && discussion.lastNumber === 1;
  return (
    <Form method="post" className="notice mt-4" data-tone="bad" aria-label={t("Delete post {number}", { number: post.number })}>
      <input type="hidden" name="intent" value="delete" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        <p>
          {post.mine
            ? gone
              ? t("Delete your post #{number}? The discussion goes with it, since nobody has answered.", { number: post.number })
              : comments
                ? t("Delete your comment #{number}? Its words go, its place stays.", { number: post.number })
                : t("Delete your post #{number}? Its words go, its place in the discussion stays.", { number: post.number })
            : t("Remove the post #{number} of {name}? The reason is kept, and {name} can read it.", { number: post.number, name })}
        </p>
        {!post.mine && <TextField name="reason" label={t("Reason")} required maxLength={300} dir="auto" autoComplete="off" />}
        <p className="flex flex-wrap gap-2">
          <SubmitButton kind="danger" busy={t("Deleting…")}>
            {post.mine ? t("Delete") : t("Remove")}
          </SubmitButton>
          <ButtonLink to={urls.postHere(post.number)}>{t("Keep it")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}

/** Brings back what was removed; its author will read why. */
export function RestorePost({ post }: Pick<Props, "post">) {
  const t = useWords();
  return (
    <Form method="post" className="notice mt-4" aria-label={t("Restore post {number}", { number: post.number })}>
      <input type="hidden" name="intent" value="restore-post" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        <TextField name="reason" label={t("Reason")} required maxLength={300} dir="auto" autoComplete="off" />
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Restoring…")}>{t("Restore")}</SubmitButton>
          <ButtonLink to={urls.postHere(post.number)}>{t("Leave it as it was")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}
