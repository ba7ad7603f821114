import { Notice } from "../../ui/basic-components.tsx";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { UnresolvedMentions } from "../discussion-data.ts";

/** Shows the writer of a new post which mentions match nobody, so that they do not wait for an answer. */
export function UnresolvedMentionsNotice({ names, most }: NonNullable<UnresolvedMentions>) {
  const t = useTranslate();
  const locale = useLocale();
  const list = new Intl.ListFormat(locale).format(names.map((name) => `@${name}`));
  return (
    <div className="mt-4">
      <Notice tone="pending">
        {t("Not notified: {names}. They cannot see this discussion, or more than {most} were mentioned.", {
          names: list,
          most,
        })}
      </Notice>
    </div>
  );
}
