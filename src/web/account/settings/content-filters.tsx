import { Form } from "react-router";
import type { WordFilter } from "#community/friends";
import { LIMITS } from "#community/rules";
import { entriesOf } from "#platform/objects";
import { ActionForm } from "../../people/action-form.tsx";
import { CheckField, SelectField, SubmitButton, TextField, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
import { fieldError, SettingsForm } from "./settings-form.tsx";

/** Phrases the viewer does not want to read, where they apply, and what happens to matches. */
export function ContentFilters(part: SettingsSectionProps<"privacy">) {
  const t = useTranslate();
  const { filters, dropped } = part.data;
  return (
    <>
      {part.data.saved === "delete-filter" && dropped && (
        <div className="notice flex flex-wrap items-center justify-between gap-2" role="status">
          <p dir="auto">{t("The filter “{phrase}” was removed.", { phrase: dropped.phrase })}</p>
          <ActionForm intent="restore-filter" fields={{ id: dropped.id }} busy={t("One moment…")}>
            {t("Undo")}
          </ActionForm>
        </div>
      )}
      {filters.length > 0 && (
        <ul className="border-t border-line">
          {filters.map((filter) => (
            <FilterRow key={filter.id} filter={filter} part={part} />
          ))}
        </ul>
      )}
      <SettingsForm
        {...part}
        intent="filter"
        title={t("Word filters")}
        save={t("Add filter")}
        saved={t("The filter is on.")}
      >
        <p className="text-quiet">
          {t(
            "Case and accents are ignored, and only whole words match: “rain” does not match “train”. " +
              "Only you see your filters.",
          )}
        </p>
        <FilterFields prefix="filter" fault={(name) => fieldError(part.answer, `filter-${name}`)} />
      </SettingsForm>
    </>
  );
}

function FilterRow({
  filter,
  part: { answer },
}: {
  filter: WordFilter;
  part: SettingsSectionProps<"privacy">;
}) {
  const t = useTranslate();
  const where = useContexts();
  const { id, phrase, contexts, action, until } = filter;
  const prefix = `filter-${id}`;
  const mine = findRejectedForm(answer)?.typed["id"] === id;
  return (
    <li className="border-b border-line py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p dir="auto" className="break-words font-semibold">
            {phrase}
          </p>
          <p className="text-small text-quiet">
            {contexts.map((it) => where[it]).join(" · ")} · {action === "hide" ? t("hidden") : t("collapsed")}
            {until && (
              <>
                {" "}
                · <Rich text="until <0></0>" parts={{ 0: <Time at={until} /> }} />
              </>
            )}
          </p>
        </div>
        <ActionForm
          intent="delete-filter"
          fields={{ id }}
          busy={t("One moment…")}
          label={t("Remove the filter “{phrase}”", { phrase })}
        >
          {t("Remove")}
        </ActionForm>
      </div>
      <details open={mine || undefined} className="mt-1">
        <summary className="text-small text-accent" aria-label={t("Edit the filter “{phrase}”", { phrase })}>
          {t("Edit")}
        </summary>
        <Form method="post" preventScrollReset className="mt-3 grid gap-4">
          <input type="hidden" name="intent" value="change-filter" />
          <input type="hidden" name="id" value={id} />
          {mine && <AccountFormErrors answer={answer} />}
          <FilterFields
            prefix={prefix}
            filter={filter}
            fault={(name) => fieldError(answer, `${prefix}-${name}`)}
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
          </div>
        </Form>
      </details>
    </li>
  );
}

function useContexts() {
  const t = useTranslate();
  return { home: t("Start page"), discussion: t("Discussions"), notifications: t("Notifications") };
}

function FilterFields({
  prefix,
  filter,
  fault,
}: {
  prefix: string;
  filter?: WordFilter;
  fault: (name: string) => string | undefined;
}) {
  const t = useTranslate();
  const contexts = entriesOf(useContexts());
  const nowhere = fault("contexts");
  return (
    <>
      {filter?.until && <input type="hidden" name={`${prefix}-until`} value={filter.until.getTime()} />}
      <TextField
        name={`${prefix}-phrase`}
        label={t("Words")}
        required
        maxLength={LIMITS.filters.phrase}
        defaultValue={filter?.phrase}
        dir="auto"
        autoComplete="off"
      />
      <fieldset>
        <legend className="mb-1 font-semibold">{t("Where")}</legend>
        {contexts.map(([name, label]) => (
          <CheckField
            key={name}
            name={`${prefix}-${name}`}
            label={label}
            defaultChecked={filter ? filter.contexts.includes(name) : name !== "notifications"}
          />
        ))}
        {nowhere && <p className="fault">{nowhere}</p>}
      </fieldset>
      <SelectField name={`${prefix}-action`} label={t("Action")} defaultValue={filter?.action ?? "collapse"}>
        <option value="collapse">{t("Collapse")}</option>
        <option value="hide">{t("Hide")}</option>
      </SelectField>
      <SelectField name={`${prefix}-length`} label={t("Duration")} defaultValue={filter ? "kept" : "always"}>
        {filter && <option value="kept">{t("Keep the current duration")}</option>}
        <option value="always">{t("Until you remove it")}</option>
        <option value="day">{t("For a day")}</option>
        <option value="week">{t("For a week")}</option>
        <option value="month">{t("For a month")}</option>
      </SelectField>
    </>
  );
}
