import { Form } from "react-router";
import type { Discussion } from "#community/discussions";
import { Act } from "../people/act.tsx";
import { Menu, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { DiscussionData } from "./discussion-data.ts";
import { Link } from "../ui/link.tsx";

/** What its author and those who look after the group may do with a discussion. */
export function ModerationMenu({ discussion, may }: { discussion: Discussion; may: DiscussionData["may"] }) {
  const t = useWords();
  if (!may.moderate && !may.resolve && !may.rename) return null;
  return (
    <Menu label={t("More for this discussion")} summary={<span aria-hidden>⋯</span>}>
      {may.resolve &&
        (discussion.resolvedAt ? (
          <Act inMenu intent="reopen" fields={{}} busy={t("Reopening…")}>
            {t("Mark as not answered")}
          </Act>
        ) : (
          <Act inMenu intent="resolve" fields={{}} busy={t("Marking…")}>
            {t("Mark as answered")}
          </Act>
        ))}
      {may.moderate &&
        (discussion.pinnedAt ? (
          <Act inMenu intent="unpin" fields={{}} busy={t("Unpinning…")}>
            {t("Unpin")}
          </Act>
        ) : (
          <Act inMenu intent="pin" fields={{}} busy={t("Pinning…")}>
            {t("Pin on top of the group")}
          </Act>
        ))}
      {may.arrange && (
        <Act
          inMenu
          intent="start-put"
          fields={{ address: urls.discussion(discussion.id) }}
          action={urls.manageGroup(discussion.group.slug, "start")}
          busy={t("Saving…")}
        >
          {t("Put under “Start here”")}
        </Act>
      )}
      {may.moderate &&
        (discussion.locked ? (
          <Act inMenu intent="unlock" fields={{}} busy={t("Unlocking…")}>
            {t("Unlock")}
          </Act>
        ) : (
          <LockForm />
        ))}
      {may.rename && (
        <Link to={urls.manageDiscussion(discussion.id)} className="menu-item">
          {may.moderate ? t("Title, pace, archive, more…") : t("Change the title…")}
        </Link>
      )}
    </Menu>
  );
}

function LockForm() {
  const t = useWords();
  return (
    <details>
      <summary className="menu-item">{t("Lock…")}</summary>
      <Form method="post" preventScrollReset className="grid w-64 gap-2 px-2.5 pb-2">
        <input type="hidden" name="intent" value="lock" />
        <label htmlFor="lock-reason" className="text-small text-quiet">
          {t("The reason stands where the reply box was.")}
        </label>
        <input id="lock-reason" name="reason" required maxLength={300} dir="auto" autoComplete="off" className="input" />
        <SubmitButton busy={t("Locking…")} name="confirm" value="lock">
          {t("Lock the discussion")}
        </SubmitButton>
      </Form>
    </details>
  );
}
