import { badRequest } from "../data-errors.ts";
import { isRecord } from "../writes/record-input.ts";

/** Converts the payload of a FIND operation to the query of a find call. */
export function parseFindPayload(payload: unknown): Record<string, unknown> {
  if (payload !== undefined && payload !== null && !isRecord(payload))
    throw badRequest("The payload of FIND must be an object.");
  const { properties, whereClause, havingClause, queryOptions, ...rest } = payload ?? {};
  const { sortBy, related, relationsDepth, relationsPageSize } = isRecord(queryOptions) ? queryOptions : {};
  const query = {
    ...rest,
    props: properties,
    where: whereClause,
    having: havingClause,
    sortBy,
    loadRelations: related,
    relationsDepth,
    relationsPageSize,
  };
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== null),
  );
}
