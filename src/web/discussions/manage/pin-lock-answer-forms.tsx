import { Form } from "react-router";
import { SubmitButton, TextField, useRootData } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useTimeFormats } from "../posts/activity-entries.tsx";
import type { ManageData } from "./manage-discussion-data.ts";
import { ManageForm, ReasonField } from "./manage-forms.tsx";
import { toDateString } from "../dates-and-numbers.ts";

type ManageProps = { data: ManageData };

export function PinForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  if (discussion.pinnedAt) return <PinnedForm discussion={discussion} />;
  return (
    <ManageForm
      intent="pin"
      says={t("It stands on top of its group’s list, until the end of that day if you choose one.")}
      send={t("Pin")}
      busy={t("Pinning…")}
    >
      <TextField name="until" type="date" label={t("Until (optional)")} />
      <ReasonField needed={false} />
    </ManageForm>
  );
}

/** Changes how long the discussion is pinned, or unpins it. */
function PinnedForm({ discussion: { pinnedUntil } }: Pick<ManageData, "discussion">) {
  const t = useTranslate();
  const { date } = useTimeFormats();
  const { timeZone } = useRootData();
  return (
    <Form method="post" className="grid gap-4">
      <p className="text-quiet">{pinnedUntil ? t("It is pinned until {date}.", { date: date(pinnedUntil) }) : t("It is pinned.")}</p>
      <TextField
        name="until"
        type="date"
        label={t("Until (optional)")}
        defaultValue={pinnedUntil ? toDateString(pinnedUntil, timeZone) : ""}
      />
      <ReasonField needed={false} />
      <p className="flex flex-wrap gap-2">
        <SubmitButton name="intent" value="pin" busy={t("Pinning…")}>
          {t("Change the end")}
        </SubmitButton>
        <SubmitButton name="intent" value="unpin" kind="plain" busy={t("Unpinning…")}>
          {t("Unpin")}
        </SubmitButton>
      </p>
    </Form>
  );
}

export function LockForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  if (discussion.locked)
    return (
      <ManageForm
        intent="unlock"
        says={t("Its readers can reply again. What was to happen by itself is called off.")}
        send={t("Unlock the discussion")}
        busy={t("Unlocking…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="lock"
      says={t("Nobody but those who look after the group replies any more. The reason stands where the reply box was.")}
      send={t("Lock the discussion")}
      busy={t("Locking…")}
    >
      <ReasonField />
    </ManageForm>
  );
}

/** Marks the discussion as answered, as a whole or by the post from whose menu the viewer came. */
export function AnswerForm({ data: { discussion, answeredBy: post } }: ManageProps) {
  const t = useTranslate();
  if (discussion.resolvedAt && (!post || post.id === discussion.answer?.id))
    return (
      <ManageForm intent="reopen" says={t("It is marked as answered.")} send={t("Mark as not answered")} busy={t("Reopening…")}>
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="resolve"
      says={
        post
          ? t("This post answers the question:")
          : t("It shows as answered, here and in lists. To name the post that answers it, use the menu of that post.")
      }
      send={t("Mark as answered")}
      busy={t("Marking…")}
      key={post?.id}
    >
      {post && (
        <p className="border-s-2 border-line ps-3">
          <span className="figures font-semibold">{`#${post.number} · ${post.author?.name ?? t("Somebody")}`}</span>
          <span dir="auto" className="block text-quiet">
            {post.excerpt}
          </span>
          <input type="hidden" name="postId" value={post.id} />
        </p>
      )}
      <ReasonField needed={false} />
    </ManageForm>
  );
}
