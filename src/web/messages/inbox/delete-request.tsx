import { ActionForm } from "../../people/action-form.tsx";
import { Menu } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Deletes a message request after confirmation, since it cannot be undone. */
export function DeleteRequest({ conversationId, name }: { conversationId: string; name: string }) {
  const t = useTranslate();
  return (
    <Menu label={t("Delete message request of {name}", { name })} summary={t("Delete…")}>
      <p className="max-w-64 px-2.5 pt-1 text-small text-quiet">
        {t("The request is deleted for you and cannot be restored. {name} is not notified.", { name })}
      </p>
      <ActionForm inMenu intent="delete" kind="danger" fields={{ conversationId }} busy={t("Deleting…")}>
        {t("Delete request of {name}", { name })}
      </ActionForm>
    </Menu>
  );
}
