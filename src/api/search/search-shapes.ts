import { z } from "zod";
import { SearchParams } from "./search-params.ts";

/** Schemas for bodies and answers of searches. Both may have further members. */
export const SearchBody = z
  .looseObject({
    ...SearchParams.shape,
    params: z.union([z.string(), z.looseObject({})]).optional(),
  })
  .meta({ id: "SearchParams" });
/** Body of a browse request, which selects a page by cursor, not by number. */
export const BrowseBody = SearchBody.omit({ page: true });
/** Body of a request for rules, which is accepted without effect. */
export const RulesBody = z.looseObject({ query: z.unknown().optional() });
export const RequestsBody = z.looseObject({ requests: z.array(z.looseObject({})) });
export const QueriesBody = z.looseObject({
  ...RequestsBody.shape,
  strategy: z
    .unknown()
    .meta({ enum: ["none", "stopIfEnoughMatches"] })
    .optional(),
});
export const EventsBody = z.looseObject({ events: z.array(z.looseObject({})) });

export const SearchRecord = z.looseObject({ objectID: z.string() }).meta({ id: "SearchRecord" });
export const SearchAnswer = z
  .looseObject({
    hits: z.array(z.looseObject({})),
    nbHits: z.int().optional(),
    page: z.int().optional(),
    nbPages: z.int().optional(),
    query: z.string().optional(),
    cursor: z.string().optional(),
  })
  .meta({ id: "SearchAnswer" });
export const SearchResults = z.looseObject({ results: z.array(z.looseObject({}).nullable()) });
export const FacetHits = z.looseObject({
  facetHits: z.array(z.looseObject({ value: z.string(), highlighted: z.string(), count: z.int() })),
});
export const SearchKey = z.looseObject({
  value: z.string(),
  acl: z.array(z.string()),
  indexes: z.array(z.string()),
  validity: z.int(),
});
export const IndexList = z.looseObject({
  items: z.array(z.looseObject({ name: z.string(), entries: z.int() })),
  nbPages: z.int(),
});
export const IndexSettings = z.looseObject({});
export const InsightsEventsResponse = z.looseObject({ status: z.int(), message: z.string() });
/** The error of every search endpoint. */
export const SearchError = z
  .looseObject({ message: z.string(), status: z.int() })
  .meta({ id: "SearchError" });
