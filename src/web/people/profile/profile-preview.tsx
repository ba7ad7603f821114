import type { PreviewRole } from "#community/friends";
import { ButtonLink, Notice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Banner above a preview of one's own profile. The preview is loaded with the rights of the chosen role. */
export function ProfilePreviewBanner({ id, as }: { id: string; as: PreviewRole }) {
  const t = useTranslate();
  const names: Record<PreviewRole, string> = {
    guest: t("This is your profile as a guest sees it."),
    member: t("This is your profile as any member sees it."),
    friend: t("This is your profile as a friend sees it."),
  };
  return (
    <div className="mb-4">
      <Notice>
        <p>{names[as]}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <ProfilePreviewLinks id={id} as={as} />
          <ButtonLink to={urls.person(id)}>{t("Back to your own view")}</ButtonLink>
        </div>
      </Notice>
    </div>
  );
}

/** Links to preview one's own profile in other roles. */
export function ProfilePreviewLinks({ id, as }: { id: string; as?: PreviewRole }) {
  const t = useTranslate();
  const previews: [PreviewRole, string][] = [
    ["guest", t("As a guest")],
    ["member", t("As a member")],
    ["friend", t("As a friend")],
  ];
  return previews.map(([audience, words]) => (
    <ButtonLink
      key={audience}
      to={urls.person(id, { as: audience })}
      aria-current={as === audience ? "page" : undefined}
    >
      {words}
    </ButtonLink>
  ));
}
