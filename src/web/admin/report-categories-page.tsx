import { Form, redirect } from "react-router";
import {
  addReportCategory,
  CategoryId,
  CategoryName,
  moveReportCategory,
  NewCategory,
  renameReportCategory,
  type ReportCategory,
  setReportCategoryOff,
} from "#community/moderation";
import { LIMITS, OTHER_CATEGORY, reportRules, type Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import type { Tx } from "#platform/database";
import { notFound } from "#platform/refusal";
import { chooseAction, parseForm } from "../form-parsing.ts";
import { useCategoryLabel } from "../moderation/reports/category-labels.ts";
import { ActionForm } from "../people/action-form.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { PageHeader, pageMeta, RefusalNotice, SubmitButton, Tag, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/report-categories-page";

export const loader = defineLoader(async ({ app, viewer }) => {
  if (!reportRules.editCategories(viewer)) throw notFound();
  return { categories: (await app.settings.getNow()).reportCategories };
});

/** Commands of this page, by the form's `intent`. */
const COMMANDS: Record<
  string,
  (tx: Tx, viewer: Viewer, settings: Settings, form: FormData) => Promise<unknown>
> = {
  add: (tx, viewer, settings, form) => addReportCategory(tx, viewer, settings, parseForm(NewCategory, form)),
  rename: (tx, viewer, settings, form) =>
    renameReportCategory(tx, viewer, settings, parseForm(CategoryName, form)),
  up: (tx, viewer, settings, form) =>
    moveReportCategory(tx, viewer, settings, { ...parseForm(CategoryId, form), to: "up" }),
  down: (tx, viewer, settings, form) =>
    moveReportCategory(tx, viewer, settings, { ...parseForm(CategoryId, form), to: "down" }),
  off: (tx, viewer, settings, form) =>
    setReportCategoryOff(tx, viewer, settings, { ...parseForm(CategoryId, form), off: true }),
  on: (tx, viewer, settings, form) =>
    setReportCategoryOff(tx, viewer, settings, { ...parseForm(CategoryId, form), off: false }),
};

export const action = defineAction(async ({ app, viewer, form }) => {
  const command = chooseAction(COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, app.settings, form));
  return redirect(urls.reportCategories());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Report categories"),
  hidden: true,
}));

export default function ReportCategories({ loaderData: { categories } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Report categories")}
        lead={t(
          "People choose one of these categories when they report something. Names that you enter " +
            "are not translated.",
        )}
      />
      <RefusalNotice />
      <ol className="border-t border-line">
        {categories.map((category, i) => (
          <CategoryRow
            key={category.id}
            category={category}
            first={i === 0}
            last={i === categories.length - 1}
          />
        ))}
      </ol>
      {categories.length < LIMITS.reportCategories.count && (
        <section aria-labelledby="add" className="mt-8">
          <h2 id="add" className="mb-3 font-serif text-large font-semibold">
            {t("New category")}
          </h2>
          <Form method="post" key={categories.length} className="grid max-w-xl gap-4">
            <input type="hidden" name="intent" value="add" />
            <TextField
              name="name"
              label={t("Name")}
              required
              maxLength={LIMITS.reportCategories.name}
              dir="auto"
              autoComplete="off"
            />
            <div>
              <SubmitButton busy={t("Saving…")}>{t("Add category")}</SubmitButton>
            </div>
          </Form>
        </section>
      )}
    </>
  );
}

type RowProps = { category: ReportCategory; first: boolean; last: boolean };

function CategoryRow({ category, first, last }: RowProps) {
  const t = useTranslate();
  const label = useCategoryLabel()(category);
  const { id, off } = category;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className={`font-semibold break-words ${off ? "text-quiet" : ""}`}>
          {label} {off && <Tag>{t("off")}</Tag>}
        </p>
        {id === OTHER_CATEGORY && (
          <p className="hint">{t("Reports from apps use this category, so it cannot be turned off.")}</p>
        )}
        <RenameForm category={category} label={label} />
      </div>
      <div className="flex flex-wrap gap-2">
        <MoveButtons label={label} fields={{ id }} first={first} last={last} />
        {id !== OTHER_CATEGORY && (
          <ActionForm
            intent={off ? "on" : "off"}
            fields={{ id }}
            busy={t("One moment…")}
            label={off ? t("Turn on: {label}", { label }) : t("Turn off: {label}", { label })}
          >
            {off ? t("Turn on") : t("Turn off")}
          </ActionForm>
        )}
      </div>
    </li>
  );
}

function RenameForm({ category: { id, name }, label }: Pick<RowProps, "category"> & { label: string }) {
  const t = useTranslate();
  return (
    <details key={name}>
      <summary className="text-small text-accent" aria-label={t("Rename: {label}", { label })}>
        {t("Rename…")}
      </summary>
      <Form method="post" className="mt-2 flex flex-wrap items-end gap-2">
        <input type="hidden" name="intent" value="rename" />
        <input type="hidden" name="id" value={id} />
        <label className="grid min-w-0 flex-1 basis-48 gap-1 text-small">
          {t("Name (empty for the default)")}
          <input
            name="name"
            defaultValue={name}
            maxLength={LIMITS.reportCategories.name}
            dir="auto"
            autoComplete="off"
            className="input"
          />
        </label>
        <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
      </Form>
    </details>
  );
}
