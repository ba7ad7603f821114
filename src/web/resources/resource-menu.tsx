import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { ActionForm, ConfirmActionForm } from "../people/action-form.tsx";
import { Menu, SubmitButton } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { ResourcePageData } from "./resource-data.ts";

/** Actions on a resource, for its owner, for moderators and for all other readers. */
export function ResourceMenu({ page: { resource, can } }: { page: ResourcePageData }) {
  const t = useTranslate();
  if (!can.edit && !can.move && !can.remove && !can.feature && !can.arrange && !can.report) return null;
  return (
    <Menu label={t("More actions for this resource")} summary={<i className="icon icon-ellipsis" />}>
      {!can.edit && can.move && (
        <Link to={urls.editResource(resource.id)} className="menu-item">
          {t("Move…")}
        </Link>
      )}
      {can.edit && (
        <Link to={urls.editResource(resource.id)} className="menu-item">
          {t("Edit…")}
        </Link>
      )}
      {can.feature &&
        (resource.featuredAt ? (
          <ActionForm inMenu intent="unfeature" fields={{}} busy={t("Saving…")}>
            {t("Stop featuring")}
          </ActionForm>
        ) : (
          <ActionForm inMenu intent="feature" fields={{}} busy={t("Saving…")}>
            {t("Feature on home")}
          </ActionForm>
        ))}
      {can.arrange && resource.group && (
        <ActionForm
          inMenu
          intent="add-start-item"
          fields={{ address: urls.resource(resource.id) }}
          action={urls.manageGroup(resource.group.slug, "start")}
          busy={t("Saving…")}
        >
          {t("Add to “Start here”")}
        </ActionForm>
      )}
      {can.report && (
        <Link to={urls.reportResource(resource.id)} className="menu-item">
          {t("Report…")}
        </Link>
      )}
      {can.remove &&
        (can.own ? (
          <ConfirmActionForm
            ask={t("Remove…")}
            consequence={t("Nobody can see the resource any more. You can restore it for 30 days.")}
            intent="remove"
            fields={{}}
            busy={t("Removing…")}
          >
            {t("Remove “{title}”", { title: resource.title })}
          </ConfirmActionForm>
        ) : (
          <RemoveWithReason />
        ))}
    </Menu>
  );
}

function RemoveWithReason() {
  const t = useTranslate();
  return (
    <details className="group/confirm">
      <summary className="menu-item text-red">{t("Remove…")}</summary>
      <Form method="post" className="grid gap-2 px-2.5 py-1" preventScrollReset>
        <input type="hidden" name="intent" value="remove" />
        <label className="grid gap-1 text-small">
          {t("Reason")}
          <input
            name="reason"
            required
            maxLength={LIMITS.reason}
            dir="auto"
            autoComplete="off"
            className="input"
          />
        </label>
        <SubmitButton kind="danger" busy={t("Removing…")}>
          {t("Remove")}
        </SubmitButton>
      </Form>
    </details>
  );
}
