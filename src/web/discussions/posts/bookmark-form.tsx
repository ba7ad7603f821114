import { Form } from "react-router";
import type { OwnBookmark, PostView } from "#community/discussions";
import { dateFormat } from "../../ui/text/intl-formats.ts";
import { ButtonLink, SelectField, SubmitButton, TextField, useRootData } from "../../ui/index.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { useTimeFormats } from "./activity-entries.tsx";
import { type PostContext, postLink } from "./post-context.ts";
import { UNCHANGED, TIMER_SECONDS } from "../dates-and-numbers.ts";

/** Bookmarks a post, with a note and a reminder; `before` is the existing bookmark. */
export function BookmarkForm({
  post,
  context,
  before,
}: {
  post: PostView;
  context: PostContext;
  before: OwnBookmark | null;
}) {
  const t = useTranslate();
  const { seconds } = useTimeFormats();
  const { now, timeZone } = useRootData();
  const locale = useLocale();
  const reminder = before?.remindAt && before.remindAt.getTime() > now ? before.remindAt : null;
  return (
    <Form
      method="post"
      className="notice mt-4"
      aria-label={t("Bookmark post {number}", { number: post.number })}
    >
      <input type="hidden" name="intent" value="bookmark" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        {before && (
          <p className="text-small text-quiet">
            {t("You have bookmarked this post. You can edit your note.")}
          </p>
        )}
        <TextField
          name="note"
          label={t("Note (optional)")}
          hint={t("Only you see it.")}
          maxLength={300}
          dir="auto"
          autoComplete="off"
          defaultValue={before?.note}
        />
        <SelectField name="remindIn" label={t("Remind me")} defaultValue={reminder ? UNCHANGED : ""}>
          {reminder && (
            <option value={UNCHANGED}>
              {t("Keep reminder: {time}", {
                time: dateFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(
                  reminder,
                ),
              })}
            </option>
          )}
          <option value="">{t("No reminder")}</option>
          {TIMER_SECONDS.map((value) => (
            <option key={value} value={value}>
              {t("In {time}", { time: seconds(Number(value)) })}
            </option>
          ))}
        </SelectField>
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Saving…")}>{t("Bookmark")}</SubmitButton>
          <ButtonLink to={postLink(context, post.number)}>{t("Cancel")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}
