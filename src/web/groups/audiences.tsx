import type { ContentFacts, Visibility } from "#community/rules";
import { useWords } from "../words/index.ts";
import { useGroupWords } from "./words.ts";

type Place = { name: string; visibility: Visibility; membersCount?: number } | null;

type Among = ContentFacts["audience"];

/** The readers of content before and after a move; null stands for the whole community. */
export function Audiences({ now, among, then, amongThen }: { now: Place; among?: Among; then: Place; amongThen?: Among }) {
  const t = useWords();
  const { audience } = useGroupWords();
  return (
    <dl className="notice grid gap-1">
      <dt className="font-semibold">{t("Now")}</dt>
      <dd>{audience(now, among)}</dd>
      <dt className="mt-1 font-semibold">{then ? t("Then, in {group}", { group: then.name }) : t("Then, in the library of everybody")}</dt>
      <dd>{audience(then, amongThen)}</dd>
    </dl>
  );
}
