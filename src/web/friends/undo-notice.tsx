import type { PersonCard } from "#community/common";
import { ActionForm } from "../people/action-form.tsx";
import { useTranslate } from "../i18n/index.ts";
import type { UndoableAction } from "./undoable-actions.ts";

/** Confirms an action on a person, with an undo button. */
export function UndoNotice({ done }: { done: { did: UndoableAction; person: PersonCard } | null }) {
  const t = useTranslate();
  if (!done) return null;
  const { did, person } = done;
  const { name } = person;
  const words = {
    block: t("You blocked {name}.", { name }),
    mute: t("You muted {name}.", { name }),
    remove: t("{name} was removed from your friends.", { name }),
    dismiss: t("{name} is no longer suggested.", { name }),
  }[did];
  return (
    <div className="notice mb-4 flex flex-wrap items-center justify-between gap-2" role="status">
      <p dir="auto" className="min-w-0 break-words">
        {words}
      </p>
      <ActionForm intent={UNDO_INTENTS[did]} fields={{ personId: person.id }} busy={t("One moment…")}>
        {t("Undo")}
      </ActionForm>
    </div>
  );
}

const UNDO_INTENTS: Record<UndoableAction, string> = {
  block: "unblock",
  mute: "unmute",
  remove: "undo-removal",
  dismiss: "undo-dismissal",
};
