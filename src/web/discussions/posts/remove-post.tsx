import { Form } from "react-router";
import type { PostView } from "#community/discussions";
import { ButtonLink, SubmitButton, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { type PostContext, postLink } from "./post-context.ts";

type RemovePostProps = { post: PostView; context: PostContext };

/** Removes a post, or restores a removed post. */
export function RemoveOrRestorePost({ post, context }: RemovePostProps) {
  if (post.stub === "removed") return <RestorePost post={post} context={context} />;
  return post.html === null ? null : <RemovePost post={post} context={context} />;
}

/** Asks for confirmation, and for a reason if the post is another person's. */
function RemovePost({ post, context }: RemovePostProps) {
  const { discussion, comments } = context;
  const t = useTranslate();
  const name = post.author?.name ?? t("Someone");
  const gone = !comments && discussion.lastNumber === 1;
  return (
    <Form
      method="post"
      className="notice mt-4"
      data-tone="bad"
      aria-label={t("Delete post {number}", { number: post.number })}
    >
      <input type="hidden" name="intent" value="delete" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        <p>
          {post.mine
            ? gone
              ? t("Delete your post #{number}? The discussion is deleted with it, as it has no replies.", {
                  number: post.number,
                })
              : comments
                ? t("Delete your comment #{number}? The text is deleted; the number stays.", {
                    number: post.number,
                  })
                : t("Delete your post #{number}? The text is deleted; the number stays.", {
                    number: post.number,
                  })
            : t("Remove post #{number} of {name}? {name} can read the reason.", {
                number: post.number,
                name,
              })}
        </p>
        {!post.mine && (
          <TextField
            name="reason"
            label={t("Reason")}
            required
            maxLength={300}
            dir="auto"
            autoComplete="off"
          />
        )}
        <p className="flex flex-wrap gap-2">
          <SubmitButton kind="danger" busy={t("Deleting…")}>
            {post.mine ? t("Delete") : t("Remove")}
          </SubmitButton>
          <ButtonLink to={postLink(context, post.number)}>{t("Cancel")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}

/** Restores a removed post; its author sees the reason. */
function RestorePost({ post, context }: RemovePostProps) {
  const t = useTranslate();
  return (
    <Form
      method="post"
      className="notice mt-4"
      aria-label={t("Restore post {number}", { number: post.number })}
    >
      <input type="hidden" name="intent" value="restore-post" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        <TextField name="reason" label={t("Reason")} required maxLength={300} dir="auto" autoComplete="off" />
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Restoring…")}>{t("Restore")}</SubmitButton>
          <ButtonLink to={postLink(context, post.number)}>{t("Cancel")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}
