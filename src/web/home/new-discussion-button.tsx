import { ButtonLink } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/** Button that starts a discussion. On narrow screens the floating button replaces it. */
export function NewDiscussionButton() {
  const t = useTranslate();
  return (
    <span className="max-rail:hidden">
      <ButtonLink to={urls.start()}>
        <i className="icon icon-plus size-4" />
        {t("New discussion")}
      </ButtonLink>
    </span>
  );
}
