import { PinOff } from "lucide-react";
import type { GroupCard } from "#community/groups";
import { Act } from "../people/act.tsx";
import { useWords } from "../words/index.ts";

/** Pins a group to the top of the viewer's own groups, or unpins it. */
export function PinAct({ group: { id, name, pinned } }: { group: GroupCard }) {
  const t = useWords();
  return (
    <Act
      intent={pinned ? "unpin" : "pin"}
      fields={{ groupId: id }}
      kind="quiet"
      busy="…"
      label={pinned ? t("Unpin {name}", { name }) : t("Pin {name} on top", { name })}
    >
      {pinned ? <PinOff size={16} strokeWidth={1.75} aria-hidden /> : <i className="icon icon-pin size-4" />}
    </Act>
  );
}
