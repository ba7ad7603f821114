import { ListFilter } from "../../ui/navigation/list-filter.tsx";
import { SortMenu } from "../../ui/menus/sort-menu.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { GroupFilters } from "./group-filters.ts";

type FiltersProps = { looking: GroupFilters };
type TopicCounts = { topics: { topic: string; count: number }[] };
const filteredUrl = (filters: GroupFilters, change: { [Name in keyof GroupFilters]?: string }) =>
  urls.groups({ tab: "discover", ...filters, ...change });

export const isFiltered = ({ topic, joinPolicy, active }: GroupFilters) =>
  topic !== undefined || joinPolicy !== undefined || active !== undefined;

/**
 * Filters and sort order of the groups to discover. They are links, so that each selection has an address.
 */
export function DiscoverFilters({ looking, topics }: FiltersProps & TopicCounts) {
  const t = useTranslate();
  const joinPolicies = { open: t("Open"), request: t("By request"), invite: t("Invite only") };
  const spans = { week: t("Last week"), month: t("Last month") };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-1">
      <ListFilter
        label={t("Topic")}
        chosen={looking.topic}
        choices={topics.map(({ topic, count }) => ({ value: topic, label: topic, count }))}
        to={(topic) => filteredUrl(looking, { topic })}
      />
      <ListFilter
        label={t("Who can join")}
        chosen={looking.joinPolicy && joinPolicies[looking.joinPolicy]}
        choices={toChoices(joinPolicies)}
        to={(joinPolicy) => filteredUrl(looking, { joinPolicy })}
      />
      <ListFilter
        label={t("Unread")}
        chosen={looking.active && spans[looking.active]}
        choices={toChoices(spans)}
        to={(active) => filteredUrl(looking, { active })}
      />
      <GroupSortMenu looking={looking} />
    </div>
  );
}

const toChoices = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

function GroupSortMenu({ looking }: FiltersProps) {
  const t = useTranslate();
  const names = {
    active: t("Most active"),
    members: t("Most members"),
    newest: t("Newest"),
    name: t("Name"),
  };
  return (
    <SortMenu
      names={names}
      now={looking.sort ?? "active"}
      to={(sort) => filteredUrl(looking, { sort: sort === "active" ? undefined : sort })}
    />
  );
}
