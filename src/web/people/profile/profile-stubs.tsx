import type { PreviewRole } from "#community/friends";
import type { Profile } from "#community/accounts";
import { useLocation } from "react-router";
import { ButtonLink, EmptyState, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../action-form.tsx";

/** Profile of a person the viewer blocks. */
export function BlockedStub({ person: { id, name } }: { person: Profile }) {
  const t = useTranslate();
  return (
    <>
      <h1 dir="auto" className="font-serif text-title font-semibold">
        {t("You have blocked {name}", { name })}
      </h1>
      <p className="mt-1 max-w-measure text-quiet">
        {t(
          "You do not see each other's posts and profiles and cannot message each other. They were not notified.",
        )}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <ActionForm intent="unblock" fields={{ personId: id }} busy={t("Unblocking…")}>
          {t("Unblock")}
        </ActionForm>
        <ButtonLink to={urls.reportPerson(id)}>{t("Report…")}</ButtonLink>
      </div>
    </>
  );
}

/** Profile of a person of whom the viewer may see only the name. */
export function ClosedProfile({ person: { name, state }, as }: { person: Profile; as: PreviewRole | null }) {
  const t = useTranslate();
  const { me } = useRootData();
  const { pathname } = useLocation();
  if (state === "suspended")
    return (
      <div className="mt-6">
        <EmptyState title={t("This profile is not available at the moment.")} />
      </div>
    );
  if (!me || as === "guest")
    return (
      <div className="mt-6">
        <EmptyState
          title={t("{name} shows this profile to members only.", { name })}
          action={
            !as && (
              <ButtonLink kind="primary" to={urls.login({ next: pathname })} data-sign-in>
                {t("Sign in")}
              </ButtonLink>
            )
          }
        />
      </div>
    );
  return (
    <div className="mt-6">
      <EmptyState title={t("This profile is visible to friends of {name} only.", { name })} />
    </div>
  );
}

/** Profile of a deleted account, whose posts remain without a name. */
export function FormerMember() {
  const t = useTranslate();
  return (
    <>
      <h1 className="font-serif text-title font-semibold">{t("Former member")}</h1>
      <p className="mt-1 max-w-measure text-quiet">
        {t("This account was deleted. Its posts stay without a name.")}
      </p>
    </>
  );
}

/** Profile page for guests if the site hides people from them. */
export function HiddenFromGuests() {
  const t = useTranslate();
  return (
    <div className="mt-6">
      <EmptyState title={t("Sign in to see members.")} />
    </div>
  );
}
