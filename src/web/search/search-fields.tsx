import { Form } from "react-router";
import { Field } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { useSearchLabels } from "./search-labels.ts";

const KINDS = ["people", "groups", "events", "discussions", "posts", "resources", "messages"];
const CONTENT_KINDS = ["link", "image", "file", "poll", "code"];

/** The search operators as form fields. Submitting adds their values to the search text. */
export function SearchFields({ q }: { q: string }) {
  const t = useTranslate();
  const { kind, value } = useSearchLabels();
  const fields: [name: string, label: string, type: string][] = [
    ["in", t("Group"), "text"],
    ["from", t("Username"), "text"],
    ["tag", t("Tag"), "text"],
    ["after", t("After"), "date"],
    ["before", t("Before"), "date"],
  ];
  const choices: [name: string, label: string, values: [string, string][]][] = [
    ["type", t("Type"), KINDS.map((it) => [it, kind(it)])],
    ["has", t("Contains"), CONTENT_KINDS.map((it) => [it, value("has", it)])],
  ];
  return (
    <section aria-label={t("Advanced search")} className="px-2.5">
      <h2 className="mb-1 text-small font-semibold text-quiet">{t("Advanced search")}</h2>
      <Form
        action={urls.search()}
        aria-label={t("Advanced search")}
        className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] items-end gap-x-4 gap-y-3"
      >
        <input type="hidden" name="q" value={q} />
        {fields.map(([name, label, type]) => (
          <Field key={name} name={name} label={label}>
            {(fieldProps) => (
              <input {...fieldProps} type={type} maxLength={80} autoComplete="off" className="input" />
            )}
          </Field>
        ))}
        {choices.map(([name, label, values]) => (
          <Field key={name} name={name} label={label}>
            {(fieldProps) => (
              <select {...fieldProps} className="input" defaultValue="">
                <option value="">{kind("")}</option>
                {values.map(([it, words]) => (
                  <option key={it} value={it}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
        <button type="submit" className="button">
          {t("Search")}
        </button>
      </Form>
    </section>
  );
}
