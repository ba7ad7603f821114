import { Form } from "react-router";
import type { OwnBookmark, PostView } from "#community/discussions";
import { dateFormat } from "../ui/formats.ts";
import { ButtonLink, SelectField, SubmitButton, TextField, useRoot } from "../ui/index.ts";
import { useLocale, useWords } from "../words/index.ts";
import { useSpoken } from "./lines.tsx";
import { type PostPlace, wayTo } from "./post-place.ts";
import { AS_BEFORE, IN_TIME } from "./spans.ts";

/** Bookmarks a post, with a note and a reminder; `before` is the existing bookmark. */
export function KeepPost({ post, it, before }: { post: PostView; it: PostPlace; before: OwnBookmark | null }) {
  const t = useWords();
  const { seconds } = useSpoken();
  const { now, timeZone } = useRoot();
  const locale = useLocale();
  const reminder = before?.remindAt && before.remindAt.getTime() > now ? before.remindAt : null;
  return (
    <Form method="post" className="notice mt-4" aria-label={t("Keep post {number}", { number: post.number })}>
      <input type="hidden" name="intent" value="bookmark" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        {before && <p className="text-small text-quiet">{t("You keep this post already. You can change what you noted.")}</p>}
        <TextField
          name="note"
          label={t("Note (optional)")}
          hint={t("Only you see it.")}
          maxLength={300}
          dir="auto"
          autoComplete="off"
          defaultValue={before?.note}
        />
        <SelectField name="remindIn" label={t("Remind me")} defaultValue={reminder ? AS_BEFORE : ""}>
          {reminder && (
            <option value={AS_BEFORE}>
              {t("As before: {time}", { time: dateFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(reminder) })}
            </option>
          )}
          <option value="">{t("Not at all")}</option>
          {IN_TIME.map((value) => (
            <option key={value} value={value}>
              {t("In {time}", { time: seconds(Number(value)) })}
            </option>
          ))}
        </SelectField>
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Keeping…")}>{t("Keep the post")}</SubmitButton>
          <ButtonLink to={wayTo(it, post.number)}>{t("Rather not")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}
