import { redirect } from "react-router";
import { z } from "zod";
import {
  addWordFilter,
  editWordFilter,
  deleteWordFilter,
  NewWordFilter,
  restoreWordFilter,
} from "#community/friends";
import type { FilterContext, SignedIn } from "#community/rules";
import { DAY, addMilliseconds } from "#platform/clock";
import { parseForm } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";
import type { RequestContext } from "../../request-context.ts";
import { withPrefixedFields } from "./prefixed-fields.ts";

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData };

const FILTER_LENGTHS = { day: DAY, week: 7 * DAY, month: 30 * DAY, always: null };
const CONTEXTS = ["home", "discussion", "notifications"] as const satisfies FilterContext[];
const FilterInput = z.object({ id: z.uuid("Unknown value.") });
const checkbox = z
  .string()
  .optional()
  .transform((given) => given !== undefined);
const FilterForm = z
  .object({
    phrase: z.string().default(""),
    action: NewWordFilter.shape.action.default("collapse"),
    home: checkbox,
    discussion: checkbox,
    notifications: checkbox,
    /** `kept` leaves the end of the filter unchanged: `until` contains that end, in milliseconds. */
    length: z.enum(["day", "week", "month", "always", "kept"]).default("always"),
    until: z.string().default(""),
  })
  .transform(({ length, until, phrase, action, ...on }) => ({
    phrase,
    action,
    contexts: CONTEXTS.filter((it) => on[it]),
    ms: length === "kept" ? null : FILTER_LENGTHS[length],
    until: length === "kept" && until !== "" ? new Date(Number(until)) : null,
  }))
  .pipe(NewWordFilter.extend({ ms: z.number().nullable() }));

/** Unchecked boxes are not submitted. */
function parseContentFilter(fields: FormData, now: Date) {
  const { ms, until, ...rest } = parseForm(FilterForm, fields);
  return { ...rest, until: ms === null ? until : addMilliseconds(now, ms) };
}

const redirectToFilters = (me: SignedIn, saved: string, at: { dropped?: string } = {}) =>
  redirect(urls.settings(me.id, "privacy", "filters", { saved, ...at }));

export const contentFilterCommands: Record<string, (input: CommandInput) => Promise<unknown>> = {
  filter: async ({ ctx, me, form }) => {
    await withPrefixedFields("filter", form, (fields) =>
      ctx.app.database.inTransaction((tx) => addWordFilter(tx, me, parseContentFilter(fields, ctx.now))),
    );
    return redirectToFilters(me, "filter");
  },
  "change-filter": async ({ ctx, me, form }) => {
    const { id: filterId } = parseForm(FilterInput, form);
    await withPrefixedFields(`filter-${filterId}`, form, (fields) =>
      ctx.app.database.inTransaction((tx) =>
        editWordFilter(tx, me, { ...parseContentFilter(fields, ctx.now), filterId }),
      ),
    );
    return redirectToFilters(me, "change-filter");
  },
  "delete-filter": async ({ ctx, me, form }) => {
    const { id: filterId } = parseForm(FilterInput, form);
    await ctx.app.database.inTransaction((tx) => deleteWordFilter(tx, me, { filterId }));
    return redirectToFilters(me, "delete-filter", { dropped: filterId });
  },
  "restore-filter": async ({ ctx, me, form }) => {
    const { id: filterId } = parseForm(FilterInput, form);
    await ctx.app.database.inTransaction((tx) => restoreWordFilter(tx, me, { filterId }));
    return redirectToFilters(me, "filter");
  },
};
