import { Form } from "react-router";
import type { PostView } from "#community/discussions";
import { ButtonLink, SelectField, SubmitButton, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { useSpoken } from "./lines.tsx";
import { IN_TIME } from "./spans.ts";

/** Keeps a post for oneself, with a word to oneself and a reminder. */
export function KeepPost({ post }: { post: PostView }) {
  const t = useWords();
  const { seconds } = useSpoken();
  return (
    <Form method="post" className="notice mt-4" aria-label={t("Keep post {number}", { number: post.number })}>
      <input type="hidden" name="intent" value="bookmark" />
      <input type="hidden" name="postId" value={post.id} />
      <div className="grid flex-1 gap-3">
        <TextField name="note" label={t("Note (optional)")} hint={t("Only you see it.")} maxLength={300} dir="auto" autoComplete="off" />
        <SelectField name="remindIn" label={t("Remind me")} defaultValue="">
          <option value="">{t("Not at all")}</option>
          {IN_TIME.map((value) => (
            <option key={value} value={value}>
              {t("In {time}", { time: seconds(Number(value)) })}
            </option>
          ))}
        </SelectField>
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Keeping…")}>{t("Keep the post")}</SubmitButton>
          <ButtonLink to={urls.postHere(post.number)}>{t("Rather not")}</ButtonLink>
        </p>
      </div>
    </Form>
  );
}
