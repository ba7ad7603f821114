import { urls } from "../../urls.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { useTranslate } from "../../i18n/index.ts";
import type { ProfileCompletenessData } from "./profile-data.ts";
import { ProfilePreviewLinks } from "./profile-preview.tsx";

/** Missing parts of one's own profile, with links to add them and a preview as others see it. */
export function ProfileCompleteness({ id, missing }: { id: string; missing: ProfileCompletenessData }) {
  const t = useTranslate();
  const own = [
    !missing.photo && { to: urls.editPhoto(id), words: t("a photo") },
    !missing.bio && { to: urls.settings(id, "profile", "profile"), words: t("a description") },
    !missing.location && { to: urls.settings(id, "profile", "profile"), words: t("a location") },
  ].filter((it) => it !== false);
  const open = [
    ...missing.asked.map((label) => ({ to: urls.settings(id, "profile", "asked"), words: label })),
    ...own,
  ];
  const all = 3 + missing.askedCount;
  return (
    <section aria-label={t("Your profile")} className="panel mx-4 mt-4 grid gap-3 p-4">
      {open.length > 0 && (
        <>
          <p id="complete" className="font-semibold">
            {t("{done} of {all} completed", { done: all - open.length, all })}
          </p>
          <progress aria-labelledby="complete" value={all - open.length} max={all} className="bar" />
          <p>
            {t("Missing in your profile:")}{" "}
            {open.map(({ to, words }, i) => (
              <span key={words}>
                {i > 0 && " · "}
                <Link to={to} dir="auto">
                  {words}
                </Link>
              </span>
            ))}
          </p>
        </>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-quiet">{t("View as:")}</span>
        <ProfilePreviewLinks id={id} />
      </div>
    </section>
  );
}
