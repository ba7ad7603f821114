import type { GroupCard } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { useTranslate } from "../../i18n/index.ts";

/** Pins a group to the top of the viewer's own groups, or unpins it. */
export function PinGroup({ group: { id, name, pinned } }: { group: GroupCard }) {
  const t = useTranslate();
  return (
    <ActionForm
      intent={pinned ? "unpin" : "pin"}
      fields={{ groupId: id }}
      kind="quiet"
      busy="…"
      label={pinned ? t("Unpin {name}", { name }) : t("Pin {name}", { name })}
    >
      {pinned ? <i className="icon icon-pin-off size-4" /> : <i className="icon icon-pin size-4" />}
    </ActionForm>
  );
}
