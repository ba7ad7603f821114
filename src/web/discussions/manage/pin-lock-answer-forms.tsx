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
      description={t("Pinned at the top of the group's list. The pin ends after the day you choose, if any.")}
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
      <p className="text-quiet">
        {pinnedUntil ? t("Pinned until {date}.", { date: date(pinnedUntil) }) : t("Pinned.")}
      </p>
      <TextField
        name="until"
        type="date"
        label={t("Until (optional)")}
        defaultValue={pinnedUntil ? toDateString(pinnedUntil, timeZone) : ""}
      />
      <ReasonField needed={false} />
      <p className="flex flex-wrap gap-2">
        <SubmitButton name="intent" value="pin" busy={t("Pinning…")}>
          {t("Change end date")}
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
        description={t("Members can reply again. If a timer is set, it is cancelled.")}
        send={t("Unlock discussion")}
        busy={t("Unlocking…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="lock"
      description={t("Only moderators can reply. Members see the reason instead of the reply box.")}
      send={t("Lock discussion")}
      busy={t("Locking…")}
    >
      <ReasonField />
    </ManageForm>
  );
}

/** Marks the discussion as answered: as a whole, or by the post from whose menu this page was opened. */
export function AnswerForm({ data: { discussion, answeredBy: post } }: ManageProps) {
  const t = useTranslate();
  if (discussion.resolvedAt && (!post || post.id === discussion.answer?.id))
    return (
      <ManageForm
        intent="reopen"
        description={t("Marked as answered.")}
        send={t("Mark as not answered")}
        busy={t("Reopening…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="resolve"
      description={
        post
          ? t("Answer:")
          : t("Shown as answered here and in lists. To choose the answer, use the menu of that post.")
      }
      send={t("Mark as answered")}
      busy={t("Marking…")}
      key={post?.id}
    >
      {post && (
        <p className="border-s-2 border-line ps-3">
          <span className="figures font-semibold">{`#${post.number} · ${post.author?.name ?? t("Someone")}`}</span>
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
