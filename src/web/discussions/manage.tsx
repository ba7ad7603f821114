import { redirect } from "react-router";
import { membersOnly } from "../auth.ts";
import { FormFaults, PageHead, pageMeta, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { textIn, useWords } from "../words/index.ts";
import type { Route } from "./+types/manage";
import { type DeedName, type ManageData, managePage } from "./manage-data.ts";
import { ArchiveForm, DeleteForm, PaceForm, TimerForm, TitleForm } from "./manage-forms.tsx";
import { AnswerForm, LockForm, PinForm } from "./manage-marks.tsx";
import { MergeForm, MoveForm, SplitForm } from "./manage-moves.tsx";
import { manageDiscussion } from "./manage-verbs.ts";
import { Link } from "../ui/link.tsx";

export const middleware = [membersOnly];

export const loader = reading(({ db, viewer, params, url }) => managePage(db, viewer, params["id"]!, url));

export const action = acting(async ({ house, viewer, form, params, visit }) => {
  const where = { discussionId: params["id"]!, timeZone: visit.timeZone };
  return redirect(await house.database.inTransaction((tx) => manageDiscussion(tx, viewer, where, form)));
});

export const meta = pageMeta<ManageData>(({ discussion }, t) => ({
  title: t("Look after {title}", { title: discussion.title }),
  hidden: true,
}));

/** Each action has a form of its own, since each needs other fields and says what it does. */
export default function ManagePage({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  const { discussion, deed } = data;
  const Form = FORMS[deed];
  return (
    <>
      <PageHead
        title={t("Look after this discussion")}
        lead={
          <Link to={urls.discussion(discussion.id)} {...textIn(discussion.language, discussion.title)}>
            {discussion.title}
          </Link>
        }
      />
      <Deeds data={data} />
      <div className="mt-5 grid max-w-xl gap-4" key={deed}>
        <FormFaults />
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
  pace: PaceForm,
  timer: TimerForm,
  move: MoveForm,
  split: SplitForm,
  merge: MergeForm,
  archive: ArchiveForm,
  delete: DeleteForm,
};

function Deeds({ data: { discussion, open, deed } }: { data: ManageData }) {
  const t = useWords();
  const names: Record<DeedName, string> = {
    title: t("Title"),
    pin: t("Pin"),
    lock: t("Lock"),
    answer: t("Answered"),
    pace: t("Pace"),
    timer: t("By itself"),
    move: t("Move"),
    split: t("Split"),
    merge: t("Merge"),
    archive: t("Archive"),
    delete: t("Delete"),
  };
  const tabs = open.map((name) => ({ to: urls.manageDiscussion(discussion.id, { do: name }), label: names[name], current: name === deed }));
  return tabs.length > 1 && <Tabs label={t("What to do")} tabs={tabs} wraps />;
}
