import type { SearchEngine } from "#community/search";
import { runConcurrently, readRequiredText } from "../run-requests.ts";
import { assertIndexAllowed, type Caller } from "../search-caller.ts";
import { SearchApiError, notAllowedError } from "../search-api-error.ts";
import { parseIndexName } from "../index-names.ts";
import { parseSearchParams } from "../search-params.ts";
import { CUMULATIVE_PARAMS } from "../search-requests.ts";
import { toSearchRecord, pickAttributes, type SearchRecord } from "./search-records.ts";

type ObjectRequest = { name: string; objectID: string; attributes: string[] | undefined };

const readObjectRequest = ({ forced }: Caller, request: Record<string, unknown>): ObjectRequest => ({
  name: readRequiredText(request, "indexName"),
  objectID: readRequiredText(request, "objectID").slice(0, 200),
  attributes: parseSearchParams({ attributesToRetrieve: request["attributesToRetrieve"], ...forced }).params
    .attributesToRetrieve,
});

/**
 * Returns records in the requested order, null for each one that the viewer cannot find. Makes one query per
 * index.
 * @throws 403 for a key with filters, since reading records by id would bypass them
 */
export async function getObjects(engine: SearchEngine, caller: Caller, requests: Record<string, unknown>[]) {
  if (CUMULATIVE_PARAMS.some((name) => name in caller.forced)) throw notAllowedError();
  const objectRequests = requests.map((request) => readObjectRequest(caller, request));
  const indices = new Map(objectRequests.map(({ name }) => [name, parseIndexName(name)]));
  for (const name of indices.keys()) assertIndexAllowed(caller, name);
  const found = new Map<string, SearchRecord>();
  await runConcurrently(
    [...indices].map(([name, { index, shape }]) => async () => {
      const ids = [
        ...new Set(objectRequests.filter((it) => it.name === name).map(({ objectID }) => objectID)),
      ];
      const documents = await engine.get(caller.viewer, index, ids);
      ids.forEach(
        (id, n) =>
          documents[n] &&
          found.set(`${name} ${id}`, toSearchRecord(documents[n], { shape, origin: caller.origin })),
      );
    }),
  );
  return objectRequests.map(({ name, objectID, attributes }) => {
    const record = found.get(`${name} ${objectID}`);
    return record === undefined ? null : pickAttributes(record, attributes);
  });
}

/**
 * Returns one record.
 * @throws 404 for missing and hidden records, with the same message
 */
export async function getObject(
  engine: SearchEngine,
  caller: Caller,
  indexName: string,
  objectID: string,
  attributesToRetrieve: unknown,
) {
  const [record] = await getObjects(engine, caller, [{ indexName, objectID, attributesToRetrieve }]);
  if (!record) throw new SearchApiError(404, "ObjectID does not exist");
  return record;
}
