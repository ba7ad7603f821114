import { ButtonLink } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

/** To where discussions are begun. Where it is narrow, the dial stands there for it. */
export function NewDiscussionWay() {
  const t = useWords();
  return (
    <span className="max-rail:hidden">
      <ButtonLink to={urls.start()}>
        <i className="icon icon-plus size-4" />
        {t("New discussion")}
      </ButtonLink>
    </span>
  );
}
