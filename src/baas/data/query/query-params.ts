import { issueMessage, msg } from "#platform/messages";
import { z } from "zod";
import { clauseFault } from "../clause/clause-errors.ts";

/** Maximum records per page, and maximum related records per record. */
export const MAX_PAGE_SIZE = 100;
const MAX_OFFSET = 10_000_000;
const MAX_DEPTH = 5;
const MAX_TEXT_LENGTH = 32_000;

const limitedText = z.string().max(MAX_TEXT_LENGTH, "can have at most {count} characters");
const optionalText = limitedText.nullish();
/** A comma-separated list, as one text or several. */
const textList = z
  .union([z.string(), z.array(z.string()).transform((parts) => parts.join(","))])
  .pipe(limitedText)
  .nullish();
const boundedCount = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** Query parameters, from a body or a URL. */
export const QueryParams = z.object({
  where: optionalText,
  having: optionalText,
  props: textList,
  /** Name of `props` in URLs. */
  property: textList,
  excludeProps: textList,
  sortBy: textList,
  groupBy: textList,
  loadRelations: textList,
  pageSize: boundedCount(1, MAX_PAGE_SIZE).nullish(),
  offset: boundedCount(0, MAX_OFFSET).nullish(),
  relationsDepth: boundedCount(0, MAX_DEPTH).nullish(),
  relationsPageSize: boundedCount(1, MAX_PAGE_SIZE).nullish(),
  distinct: z.union([z.boolean(), z.stringbool()]).nullish(),
  /** Prefix for values of FILE_REF columns. */
  fileReferencePrefix: z.string().max(500).nullish(),
  groupPageSize: boundedCount(1, MAX_PAGE_SIZE).nullish(),
  recordsPageSize: boundedCount(1, MAX_PAGE_SIZE).nullish(),
  groupDepth: boundedCount(0, MAX_DEPTH).nullish(),
  groupPath: z
    .array(
      z.object({
        column: z.string().max(200),
        value: z.union([z.string().max(MAX_TEXT_LENGTH), z.number(), z.boolean(), z.null()]),
      }),
    )
    .max(MAX_DEPTH)
    .nullish(),
});
export type QueryParams = z.output<typeof QueryParams>;

/**
 * Parses query parameters.
 * @throws `invalid`, naming the invalid parameter
 */
export function parseQueryParams(query: unknown): QueryParams {
  const parsed = QueryParams.safeParse(query ?? {});
  if (parsed.success) return { ...parsed.data, props: parsed.data.props ?? parsed.data.property };
  const issue = parsed.error.issues[0]!;
  throw clauseFault(
    msg("{place}: {what}", { place: issue.path.join(".") || msg("The query"), what: issueMessage(issue) }),
  );
}
