import type { LinkDomain } from "#community/prevention";
import { useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonLink, Tag, Time } from "../../ui/index.ts";
import { useLinkDomainActions } from "./link-domain-actions.ts";

/** A link domain: its action and explanation, and who changed it last. */
export function LinkDomainRow({ row }: { row: LinkDomain }) {
  const t = useTranslate();
  const actions = useLinkDomainActions();
  const { domain, name, action, explanation, changedAt, changedBy } = row;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 font-semibold break-all">{name}</bdi>
          {name !== domain && <bdi className="min-w-0 text-quiet break-all">{domain}</bdi>}
          <Tag>{actions[action].label}</Tag>
        </p>
        {explanation && (
          <p dir="auto" className="break-words">
            {explanation}
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-quiet">
          {changedBy && <PersonLink person={changedBy} size={20} />}
          <Time at={changedAt} />
        </p>
      </div>
      <ActionForm
        intent="remove"
        fields={{ domain }}
        kind="danger"
        busy={t("One moment…")}
        label={t("Remove “{word}”", { word: name })}
      >
        {t("Remove")}
      </ActionForm>
    </li>
  );
}
