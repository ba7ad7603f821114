import { ActionForm } from "../people/action-form.tsx";
import { useTranslate } from "../i18n/index.ts";

type MoveButtonsProps = { label: string; fields: Record<string, string>; first: boolean; last: boolean };

/**
 * Buttons that move an item of an ordered list up or down; the first and the last item have only one of the
 * two.
 */
export function MoveButtons({ label, fields, first, last }: MoveButtonsProps) {
  const t = useTranslate();
  return (
    <>
      {!first && (
        <ActionForm intent="up" fields={fields} kind="quiet" busy="…" label={t("Move {label} up", { label })}>
          <i className="icon icon-arrow-up size-4" />
        </ActionForm>
      )}
      {!last && (
        <ActionForm
          intent="down"
          fields={fields}
          kind="quiet"
          busy="…"
          label={t("Move {label} down", { label })}
        >
          <i className="icon icon-arrow-down size-4" />
        </ActionForm>
      )}
    </>
  );
}
