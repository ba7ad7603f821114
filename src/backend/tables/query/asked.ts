import { z } from "zod";
import { clauseFault } from "../clause/fault.ts";

/** Records per page, and related ones per record. */
export const MOST_ON_A_PAGE = 100;
const FARTHEST = 10_000_000;
const DEEPEST = 5;
const LONGEST = 32_000;

const text = z.string().max(LONGEST, `can have ${LONGEST} characters`).nullish();
/** A list separated by commas, as one text or several. */
const list = z
  .union([z.string(), z.array(z.string()).transform((parts) => parts.join(","))])
  .pipe(z.string().max(LONGEST, `can have ${LONGEST} characters`))
  .nullish();
const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** Query parameters, as a body or as a URL query. */
export const Asked = z.object({
  where: text,
  having: text,
  props: list,
  /** The name in URL queries. */
  property: list,
  excludeProps: list,
  sortBy: list,
  groupBy: list,
  loadRelations: list,
  pageSize: count(1, MOST_ON_A_PAGE).nullish(),
  offset: count(0, FARTHEST).nullish(),
  relationsDepth: count(0, DEEPEST).nullish(),
  relationsPageSize: count(1, MOST_ON_A_PAGE).nullish(),
  distinct: z.union([z.boolean(), z.stringbool()]).nullish(),
  /** Prefix for values of FILE_REF columns. */
  fileReferencePrefix: z.string().max(500).nullish(),
  groupPageSize: count(1, MOST_ON_A_PAGE).nullish(),
  recordsPageSize: count(1, MOST_ON_A_PAGE).nullish(),
  groupDepth: count(0, DEEPEST).nullish(),
  groupPath: z
    .array(z.object({ column: z.string().max(200), value: z.union([z.string().max(LONGEST), z.number(), z.boolean(), z.null()]) }))
    .max(DEEPEST)
    .nullish(),
});
export type Asked = z.output<typeof Asked>;

/**
 * Parses query parameters.
 * @throws `invalid` naming the invalid one
 */
export function askedOf(query: unknown): Asked {
  const read = Asked.safeParse(query ?? {});
  if (read.success) return { ...read.data, props: read.data.props ?? read.data.property };
  const [issue] = read.error.issues;
  throw clauseFault(`${issue?.path.join(".") || "The query"}: ${issue?.message ?? "cannot be read"}`);
}
