import { Form } from "react-router";
import { FormErrors, SelectField, SubmitButton, TextArea, TextField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";
import { cellFieldNames } from "./cell-field-names.ts";
import type { RecordData } from "./record-page.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";

type Cell = RecordData["cells"][number];

/** Form of a record: read-only columns, and an input for each other cell. */
export function RecordForm({ data: { id, cells, fixed } }: { data: RecordData }) {
  const t = useTranslate();
  return (
    <Form method="post" className="mt-4 grid max-w-2xl gap-4">
      <FormErrors />
      <input type="hidden" name="intent" value="change" />
      {id !== null && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
          {fixed.map(({ name, text }) => (
            <div key={name} className="contents">
              <dt className="text-quiet" dir="ltr">
                {name}
              </dt>
              <dd className="min-w-0 break-words" dir="auto">
                {text || "–"}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {cells.map((cell, place) => (
        <CellField key={cell.name} cell={cell} place={place} isNew={id === null} />
      ))}
      {cells.length === 0 && <p className="text-quiet">{t("This table has no columns yet.")}</p>}
      <div>
        <SubmitButton busy={t("Saving…")}>{id === null ? t("Add record") : t("Save")}</SubmitButton>
      </div>
    </Form>
  );
}

function CellField({ cell, place, isNew }: { cell: Cell; place: number; isNew: boolean }) {
  const t = useTranslate();
  const fields = cellFieldNames(place);
  if (cell.text === null)
    return (
      <p className="text-small text-quiet">
        <span dir="ltr" className="font-semibold">
          {cell.name}
        </span>{" "}
        {t("is too large for a form. Edit it with the API.")}
      </p>
    );
  return (
    <div className="grid gap-1">
      <input type="hidden" name={fields.of} value={cell.name} />
      {!isNew && <input type="hidden" name={fields.was} value={cell.mark} />}
      <CellInput cell={cell} name={fields.cell} />
      {(cell.kind === "line" || cell.kind === "text") && (
        <label className="check text-small">
          <input type="checkbox" name={fields.none} defaultChecked={cell.none} />
          <span>{t("An empty field is saved as null")}</span>
        </label>
      )}
    </div>
  );
}

/**
 * Returns the cell's stored text if another person has changed it meanwhile, to show it below the input;
 * else null.
 */
function useCurrentCellText(name: string, text: string | null): string | null {
  const refused = findRejectedForm(useFormResult());
  return refused?.refused.reason === "conflict" && name in refused.refused.fields ? (text ?? "") : null;
}

function CellInput({ cell, name }: { cell: Cell; name: string }) {
  const t = useTranslate();
  const now = useCurrentCellText(name, cell.text);
  const about = {
    line: "",
    text: "",
    number: "",
    choice: "",
    time: t("Enter the time in UTC."),
    json: cell.dataType === "JSON" ? "" : t("Enter GeoJSON or WKT."),
  }[cell.kind];
  const hint = (
    <>
      <span dir="ltr">{cell.dataType}</span>
      {cell.required && ` · ${t("Required")}`}
      {about && ` · ${about}`}
      {now !== null && (
        <span className="block font-semibold">{t("Current value: {now}", { now: now || t("nothing") })}</span>
      )}
    </>
  );
  const common = { name, label: cell.name, hint, defaultValue: cell.text ?? "", dir: "auto" } as const;
  if (cell.kind === "choice")
    return (
      <SelectField {...common}>
        <option value="">{cell.hasDefault ? t("Default of the column") : t("None")}</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </SelectField>
    );
  if (cell.kind === "text") return <TextArea {...common} rows={5} />;
  if (cell.kind === "json") return <TextArea {...common} rows={5} dir="ltr" spellCheck={false} />;
  if (cell.kind === "time") return <TextField {...common} type="datetime-local" step="0.001" />;
  if (cell.kind === "number") return <TextField {...common} inputMode="decimal" dir="ltr" maxLength={400} />;
  return <TextField {...common} maxLength={cell.size ?? 10_000} />;
}
