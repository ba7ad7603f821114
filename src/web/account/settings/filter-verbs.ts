import { redirect } from "react-router";
import { z } from "zod";
import { addFilter, changeFilter, dropFilter, NewFilter, takeUpFilter } from "#community/friends";
import type { FilterContext, SignedIn } from "#community/rules";
import { DAY, later } from "#platform/clock";
import { parseForm } from "../../forms.ts";
import { urls } from "../../urls.ts";
import type { Visit } from "../../visit.ts";
import { under } from "./under.ts";

type Asked = { visit: Visit; me: SignedIn; form: FormData };

const LENGTHS = { day: DAY, week: 7 * DAY, month: 30 * DAY, always: null };
const CONTEXTS = ["home", "discussion", "notifications"] as const satisfies FilterContext[];
const Which = z.object({ id: z.uuid("That is not something we know.") });
const box = z
  .string()
  .optional()
  .transform((given) => given !== undefined);
const FilterForm = z
  .object({
    phrase: z.string().default(""),
    action: NewFilter.shape.action.default("collapse"),
    home: box,
    discussion: box,
    notifications: box,
    /** `kept`: unchanged; `until` holds it in milliseconds. */
    length: z.enum(["day", "week", "month", "always", "kept"]).default("always"),
    until: z.string().default(""),
  })
  .transform(({ length, until, phrase, action, ...on }) => ({
    phrase,
    action,
    contexts: CONTEXTS.filter((it) => on[it]),
    ms: length === "kept" ? null : LENGTHS[length],
    until: length === "kept" && until !== "" ? new Date(Number(until)) : null,
  }))
  .pipe(NewFilter.extend({ ms: z.number().nullable() }));

/** Unchecked boxes are not submitted. */
function filterIn(fields: FormData, now: Date) {
  const { ms, until, ...rest } = parseForm(FilterForm, fields);
  return { ...rest, until: ms === null ? until : later(now, ms) };
}

const back = (me: SignedIn, saved: string, at: { dropped?: string } = {}) => redirect(urls.settings(me.id, "filters", { saved, ...at }));

export const filterVerbs: Record<string, (asked: Asked) => Promise<unknown>> = {
  filter: async ({ visit, me, form }) => {
    await under("filter", form, (fields) => visit.house.database.inTransaction((tx) => addFilter(tx, me, filterIn(fields, visit.now))));
    return back(me, "filter");
  },
  "change-filter": async ({ visit, me, form }) => {
    const { id: filterId } = parseForm(Which, form);
    await under(`filter-${filterId}`, form, (fields) =>
      visit.house.database.inTransaction((tx) => changeFilter(tx, me, { ...filterIn(fields, visit.now), filterId })),
    );
    return back(me, "change-filter");
  },
  "drop-filter": async ({ visit, me, form }) => {
    const { id: filterId } = parseForm(Which, form);
    await visit.house.database.inTransaction((tx) => dropFilter(tx, me, { filterId }));
    return back(me, "drop-filter", { dropped: filterId });
  },
  "take-up-filter": async ({ visit, me, form }) => {
    const { id: filterId } = parseForm(Which, form);
    await visit.house.database.inTransaction((tx) => takeUpFilter(tx, me, { filterId }));
    return back(me, "filter");
  },
};
