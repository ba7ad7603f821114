import type { HeirStanding } from "#community/groups";
import { Act } from "../people/act.tsx";
import { Notice } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/**
 * For members who may ask for a new owner because the owners are inactive, and for groups in which that was
 * requested.
 */
export function NoOwner({ groupId, heir }: { groupId: string; heir: HeirStanding }) {
  const t = useWords();
  if (heir === "owned") return null;
  return (
    <Notice tone="pending">
      {heir === "asked" ? (
        t("The admins of this community have been asked for a new owner.")
      ) : (
        <>
          <p className="mb-2">
            {t("No owner of this group has been here for sixty days. You can ask the admins of this community to appoint one.")}
          </p>
          <Act intent="ask-heir" fields={{ groupId }} busy={t("Asking…")}>
            {t("Ask for a new owner")}
          </Act>
        </>
      )}
    </Notice>
  );
}
