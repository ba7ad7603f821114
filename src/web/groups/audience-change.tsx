import type { ContentFacts, Visibility } from "#community/rules";
import { useTranslate } from "../i18n/index.ts";
import { useGroupTexts } from "./group-texts.ts";

type AudienceGroup = { name: string; visibility: Visibility; membersCount?: number } | null;

type AudienceKind = ContentFacts["audience"];

/** Shows who can read content before and after a move; null is the whole community. */
export function AudienceChange({
  now,
  among,
  then,
  amongThen,
}: {
  now: AudienceGroup;
  among?: AudienceKind;
  then: AudienceGroup;
  amongThen?: AudienceKind;
}) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  return (
    <dl className="notice grid gap-1">
      <dt className="font-semibold">{t("Now")}</dt>
      <dd>{audience(now, among)}</dd>
      <dt className="mt-1 font-semibold">
        {then
          ? t("After the move, in {group}", { group: then.name })
          : t("After the move, in the community's library")}
      </dt>
      <dd>{audience(then, amongThen)}</dd>
    </dl>
  );
}
