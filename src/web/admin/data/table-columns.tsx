import { Form } from "react-router";
import { ActionForm } from "../../people/action-form.tsx";
import { CheckField, FormErrors, SelectField, SubmitButton, Tag, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { TableData } from "./table-page.tsx";

const COLUMN_TYPES =
  "STRING TEXT INT DOUBLE BOOLEAN DATETIME JSON FILE_REF POINT LINESTRING POLYGON GEOMETRY".split(" ");

/** Columns and relations of a data table, and forms to add or remove them. */
export function TableColumns({ data: { table, others } }: { data: TableData }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="columns" className="border-t border-line py-6">
      <h2 id="columns" className="mb-3 font-serif text-large font-semibold">
        {t("Columns")}
      </h2>
      <ul>
        {table.columns.map(({ name, dataType, required, unique, indexed, system }) => (
          <ColumnRow key={name} name={name} kind={dataType} fixed={system}>
            {required && <Tag>{t("Required")}</Tag>} {unique && <Tag>{t("Unique")}</Tag>}{" "}
            {indexed && <Tag>{t("Indexed")}</Tag>}
          </ColumnRow>
        ))}
        {table.relations.map(({ name, toTable, relationshipType }) => (
          <ColumnRow
            key={name}
            name={name}
            kind={`${relationshipType === "ONE_TO_ONE" ? "1:1" : "1:N"} → ${toTable}`}
            fixed={false}
          />
        ))}
      </ul>
      <div className="mt-5 grid gap-8 phone:grid-cols-2">
        <NewColumn />
        <NewRelation others={others} />
      </div>
    </section>
  );
}

function ColumnRow({
  name,
  kind,
  fixed,
  children,
}: {
  name: string;
  kind: string;
  fixed: boolean;
  children?: React.ReactNode;
}) {
  const t = useTranslate();
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2">
      <span className="min-w-0 break-words">
        <span dir="ltr" className="font-semibold">
          {name}
        </span>{" "}
        <span dir="ltr" className="text-small text-quiet">
          {kind}
        </span>{" "}
        {children}
      </span>
      {!fixed && (
        <ActionForm
          intent="drop-column"
          fields={{ column: name }}
          kind="danger"
          busy="…"
          label={t("Delete the column {name} and its values", { name })}
        >
          {t("Delete")}
        </ActionForm>
      )}
    </li>
  );
}

function NewColumn() {
  const t = useTranslate();
  return (
    <Form method="post" className="grid content-start gap-3">
      <FormErrors />
      <input type="hidden" name="intent" value="column" />
      <TextField
        name="name"
        label={t("New column")}
        hint={t("Letters, digits and underscores.")}
        required
        maxLength={64}
        dir="ltr"
      />
      <SelectField name="dataType" label={t("Type")} defaultValue="STRING">
        {COLUMN_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      <CheckField name="required" label={t("Required")} />
      <CheckField name="unique" label={t("Unique")} />
      <CheckField name="indexed" label={t("Indexed")} />
      <div>
        <SubmitButton busy={t("Saving…")}>{t("Add column")}</SubmitButton>
      </div>
    </Form>
  );
}

function NewRelation({ others }: Pick<TableData, "others">) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid content-start gap-3">
      <input type="hidden" name="intent" value="relation" />
      <div className="field">
        <label htmlFor="relation-name">{t("New relation")}</label>
        <input id="relation-name" name="name" required maxLength={64} dir="ltr" className="input" />
      </div>
      <SelectField name="toTable" label={t("To table")}>
        {others.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <SelectField name="kind" label={t("Cardinality")} defaultValue="ONE_TO_MANY">
        <option value="ONE_TO_ONE">{t("One")}</option>
        <option value="ONE_TO_MANY">{t("Many")}</option>
      </SelectField>
      <div>
        <SubmitButton busy={t("Saving…")}>{t("Add relation")}</SubmitButton>
      </div>
    </Form>
  );
}
