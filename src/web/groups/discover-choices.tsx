import { Choice } from "../ui/choice.tsx";
import { OrderMenu } from "../ui/order-menu.tsx";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { Looking } from "./looking-for.ts";

type Props = { looking: Looking };
type Topics = { topics: { topic: string; count: number }[] };
const here = (looking: Looking, change: { [Name in keyof Looking]?: string }) => urls.groups({ tab: "discover", ...looking, ...change });

export const isNarrowed = ({ topic, door, active }: Looking) => topic !== undefined || door !== undefined || active !== undefined;

/** Filters and sort order of the groups to discover: links, so that each has its address. */
export function DiscoverChoices({ looking, topics }: Props & Topics) {
  const t = useWords();
  const doors = { open: t("Open to all"), request: t("On request"), invite: t("By invitation") };
  const spans = { week: t("In the last week"), month: t("In the last month") };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-1">
      <Choice
        label={t("Topic")}
        chosen={looking.topic}
        choices={topics.map(({ topic, count }) => ({ value: topic, label: topic, count }))}
        to={(topic) => here(looking, { topic })}
      />
      <Choice
        label={t("Who gets in")}
        chosen={looking.door && doors[looking.door]}
        choices={choicesOf(doors)}
        to={(door) => here(looking, { door })}
      />
      <Choice
        label={t("Something new")}
        chosen={looking.active && spans[looking.active]}
        choices={choicesOf(spans)}
        to={(active) => here(looking, { active })}
      />
      <Order looking={looking} />
    </div>
  );
}

const choicesOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

function Order({ looking }: Props) {
  const t = useWords();
  const names = {
    active: t("Most active lately"),
    members: t("Most members"),
    newest: t("Founded last"),
    name: t("A to Z"),
  };
  return (
    <OrderMenu names={names} now={looking.sort ?? "active"} to={(sort) => here(looking, { sort: sort === "active" ? undefined : sort })} />
  );
}
