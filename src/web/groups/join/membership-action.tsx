import { useLocation } from "react-router";
import type { GroupFacts } from "#community/rules";
import { ActionForm } from "../../people/action-form.tsx";
import { ButtonLink, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

type GroupActionProps = {
  group: GroupFacts & { id: string; slug: string; name: string };
  can: { join: boolean; ask: boolean };
};

/**
 * The main action for the viewer's membership status. `inside` is set on the group's own page, which needs
 * no link to the group.
 */
export function MembershipAction({ group, can, inside = false }: GroupActionProps & { inside?: boolean }) {
  const t = useTranslate();
  const { me } = useRootData();
  const { pathname } = useLocation();
  const { name, slug, viewerState: state } = group;
  const open = inside ? null : (
    <ButtonLink to={urls.group(slug)} aria-label={t("Open {name}", { name })}>
      {t("Open", undefined, "verb")}
    </ButtonLink>
  );
  const fields = { groupId: group.id };
  const enter = { ...fields, back: urls.group(slug) };
  if (!me) {
    if (!inside && group.visibility === "public") return open;
    if (group.state !== "active" || group.joinPolicy === "invite") return open;
    return (
      <ButtonLink kind="primary" to={urls.login({ next: inside ? pathname : urls.group(slug) })} data-sign-in>
        {group.joinPolicy === "open" ? t("Join") : t("Request to join")}
      </ButtonLink>
    );
  }
  // If the group became open after a person sent a join request, they can now join directly.
  if (state === "requested" && !can.join)
    return (
      <ActionForm
        intent="withdraw"
        fields={fields}
        busy={t("Withdrawing…")}
        label={t("Withdraw request to join {name}", { name })}
      >
        {t("Withdraw request")}
      </ActionForm>
    );
  if (state === "invited")
    return (
      <>
        {can.join && (
          <ActionForm
            intent="join"
            fields={enter}
            kind="primary"
            busy={t("Joining…")}
            label={t("Accept the invitation to {name}", { name })}
          >
            {t("Accept")}
          </ActionForm>
        )}
        <ActionForm
          intent="decline-invitation"
          fields={{ ...fields, back: urls.groups() }}
          busy={t("Declining…")}
          label={t("Decline the invitation to {name}", { name })}
        >
          {t("Decline")}
        </ActionForm>
      </>
    );
  if (can.join)
    return (
      <ActionForm
        intent="join"
        fields={enter}
        kind="primary"
        busy={t("Joining…")}
        label={t("Join {name}", { name })}
      >
        {t("Join")}
      </ActionForm>
    );
  if (can.ask)
    return (
      <ButtonLink to={`${urls.group(slug)}#ask`} aria-label={t("Request to join {name}", { name })}>
        {t("Request to join")}
      </ButtonLink>
    );
  return open;
}
