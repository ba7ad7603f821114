import type { ReactNode } from "react";
import { Form } from "react-router";
import { ActionForm } from "../people/action-form.tsx";
import { SubmitButton, TextField } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useTranslate } from "../i18n/index.ts";

type OrderedItemProps = {
  title: string;
  to: string;
  icon?: ReactNode;
  /** Hidden fields that identify the item; `intents` are the intents of its forms. */
  fields: Record<string, string>;
  intents: { move: string; take: string };
  first: boolean;
  last: boolean;
};

/** An item of an ordered list: it can be moved up or down, or removed. */
export function OrderedItem({ title, to, icon, fields, intents, first, last }: OrderedItemProps) {
  const t = useTranslate();
  const move = (direction: "up" | "down", label: string) => (
    <ActionForm
      intent={intents.move}
      fields={{ ...fields, way: direction }}
      kind="quiet"
      busy="…"
      label={label}
    >
      <i className={`icon size-4 ${direction === "up" ? "icon-arrow-up" : "icon-arrow-down"}`} />
    </ActionForm>
  );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      {icon && <span className="text-quiet">{icon}</span>}
      <span className="min-w-0 flex-1 basis-48">
        <Link to={to} dir="auto" className="break-words">
          {title}
        </Link>
      </span>
      <span className="flex items-center gap-1">
        {!first && move("up", t("Move up: {title}", { title }))}
        {!last && move("down", t("Move down: {title}", { title }))}
        <ActionForm
          intent={intents.take}
          fields={fields}
          busy={t("Saving…")}
          label={t("Remove: {title}", { title })}
        >
          {t("Remove")}
        </ActionForm>
      </span>
    </li>
  );
}

/** Form that appends an item by its address; the field is cleared after the item was added. */
export function AddByAddress({
  intent,
  count,
  label,
  hint,
  faults,
}: {
  intent: string;
  count: number;
  label: string;
  hint: string;
  faults?: ReactNode;
}) {
  const t = useTranslate();
  return (
    <Form method="post" className="mt-5 grid gap-3">
      {faults}
      <TextField
        key={count}
        name="address"
        label={label}
        hint={hint}
        required
        maxLength={500}
        dir="ltr"
        autoComplete="off"
      />
      <div>
        <SubmitButton name="intent" value={intent} busy={t("Saving…")}>
          {t("Add")}
        </SubmitButton>
      </div>
    </Form>
  );
}
