import { redirect } from "react-router";
import { requireMember } from "../../auth-middleware.ts";
import { FormErrors, PageHeader, pageMeta, Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/manage-discussion-page";
import { type ManageAction, type ManageData, loadManagePage } from "./manage-discussion-data.ts";
import { ArchiveForm, DeleteForm, SlowModeForm, TimerForm, TitleForm } from "./manage-forms.tsx";
import { AnswerForm, LockForm, PinForm } from "./pin-lock-answer-forms.tsx";
import { MergeForm, MoveForm, SplitForm } from "./move-split-merge-forms.tsx";
import { runManageCommand } from "./manage-discussion-commands.ts";
import { Link } from "../../ui/navigation/link.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(({ db, viewer, params, url }) =>
  loadManagePage(db, viewer, params["id"]!, url),
);

export const action = defineAction(async ({ app, viewer, form, params, ctx }) => {
  const where = { discussionId: params["id"]!, timeZone: ctx.timeZone };
  return redirect(await app.database.inTransaction((tx) => runManageCommand(tx, viewer, where, form)));
});

export const meta = pageMeta<ManageData>(({ discussion }, t) => ({
  title: t("Moderate {title}", { title: discussion.title }),
  hidden: true,
}));

/**
 * Manages a discussion. Each action has its own form, since it needs other fields and explains what it does.
 */
export default function ManageDiscussionPage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  const { discussion, deed } = data;
  const Form = FORMS[deed];
  return (
    <>
      <PageHeader
        title={t("Moderate")}
        lead={
          <Link
            to={urls.discussion(discussion.id)}
            {...titleAttributes(discussion.language, discussion.title)}
          >
            {discussion.title}
          </Link>
        }
      />
      <ManageMenu data={data} />
      <div className="mt-5 grid max-w-xl gap-4" key={deed}>
        <FormErrors />
        <Form data={data} />
      </div>
    </>
  );
}

const FORMS = {
  title: TitleForm,
  pin: PinForm,
  lock: LockForm,
  answer: AnswerForm,
  pace: SlowModeForm,
  timer: TimerForm,
  move: MoveForm,
  split: SplitForm,
  merge: MergeForm,
  archive: ArchiveForm,
  delete: DeleteForm,
};

function ManageMenu({ data: { discussion, open, deed } }: { data: ManageData }) {
  const t = useTranslate();
  const names: Record<ManageAction, string> = {
    title: t("Title"),
    pin: t("Pin"),
    lock: t("Lock"),
    answer: t("Answered"),
    pace: t("Slow mode"),
    timer: t("Timer"),
    move: t("Move"),
    split: t("Split"),
    merge: t("Merge"),
    archive: t("Archive"),
    delete: t("Delete"),
  };
  const tabs = open.map((name) => ({
    to: urls.manageDiscussion(discussion.id, { do: name }),
    label: names[name],
    current: name === deed,
  }));
  return tabs.length > 1 && <Tabs label={t("Actions")} tabs={tabs} wraps="always" />;
}
