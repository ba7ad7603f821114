import { type Decision, iterateDecisions, type ReportCategory } from "#community/moderation";
import { accountRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { requireMember } from "../auth-middleware.ts";
import { csvResponse } from "../csv.ts";
import { defineLoader } from "../request-context.ts";

export const middleware = [requireMember];

/**
 * Moderation decisions with the columns of a statement of reasons (Digital Services Act, article 17), as a CSV
 * file for admins. It names no people and no content.
 */
export const loader = defineLoader(async ({ app, db, viewer }) => {
  // The permission is checked before the response begins: an error during streaming could no longer become an
  // error page.
  if (!accountRules.run(viewer)) throw notFound();
  const { reportCategories } = await app.settings.get();
  return csvResponse("decisions", CSV_HEADER, toCsvRows(iterateDecisions(db, viewer), reportCategories));
});

const CSV_HEADER = [
  "Date",
  "Category",
  "Law or rule",
  "Automated detection",
  "Automated decision",
  "Action",
  "Territorial scope",
  "Content type",
  "Source of notice",
];

async function* toCsvRows(
  decisions: AsyncIterable<Decision>,
  categories: ReportCategory[],
): AsyncGenerator<string[]> {
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  for await (const it of decisions)
    yield [
      it.at.toISOString(),
      it.category === null ? "" : names.get(it.category) || it.category,
      it.law,
      // Watched words detect content automatically. A decision is never automated: a moderator reviews what is
      // detected, and what is hidden after several reports.
      it.isAutomatic ? "yes" : "no",
      "no",
      it.actions.join(" + "),
      "all countries",
      it.content ?? "",
      it.source,
    ];
}
