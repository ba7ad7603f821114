import type { OwnerRequestState } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { Notice } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Lets members request a new owner if the owners are inactive, and shows a pending request. */
export function MissingOwner({ groupId, successor }: { groupId: string; successor: OwnerRequestState }) {
  const t = useTranslate();
  if (successor === "owned") return null;
  return (
    <Notice tone="pending">
      {successor === "asked" ? (
        t("The admins were asked for a new owner.")
      ) : (
        <>
          <p className="mb-2">
            {t("No owner was active for 60 days. You can ask the admins to appoint a new owner.")}
          </p>
          <ActionForm intent="request-owner" fields={{ groupId }} busy={t("Requesting…")}>
            {t("Ask for a new owner")}
          </ActionForm>
        </>
      )}
    </Notice>
  );
}
