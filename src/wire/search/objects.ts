import type { SearchEngine } from "#community/search";
import { inLanes, textIn } from "./asking.ts";
import { assertOpens, type Caller } from "./caller.ts";
import { Fault, notAllowed } from "./fault.ts";
import { indexOf } from "./indices.ts";
import { paramsOf } from "./params.ts";
import { ADDED_UP } from "./questions.ts";
import { recordOf, retrieved, type WireRecord } from "./records.ts";

type Wanted = { name: string; objectID: string; attributes: string[] | undefined };

const wantedIn = ({ forced }: Caller, request: Record<string, unknown>): Wanted => ({
  name: textIn(request, "indexName"),
  objectID: textIn(request, "objectID").slice(0, 200),
  attributes: paramsOf({ attributesToRetrieve: request["attributesToRetrieve"], ...forced }).params.attributesToRetrieve,
});

/**
 * Records in the requested order; null where the viewer finds none. One query per index.
 * @throws 403 for a key with filters, since records by id would bypass them
 */
export async function objects(engine: SearchEngine, caller: Caller, requests: Record<string, unknown>[]) {
  if (ADDED_UP.some((name) => name in caller.forced)) throw notAllowed();
  const wanted = requests.map((request) => wantedIn(caller, request));
  const indices = new Map(wanted.map(({ name }) => [name, indexOf(name)]));
  for (const name of indices.keys()) assertOpens(caller, name);
  const found = new Map<string, WireRecord>();
  await inLanes(
    [...indices].map(([name, { index, shape }]) => async () => {
      const ids = [...new Set(wanted.filter((it) => it.name === name).map(({ objectID }) => objectID))];
      const documents = await engine.get(caller.viewer, index, ids);
      ids.forEach((id, n) => documents[n] && found.set(`${name} ${id}`, recordOf(documents[n], { shape, origin: caller.origin })));
    }),
  );
  return wanted.map(({ name, objectID, attributes }) => {
    const record = found.get(`${name} ${objectID}`);
    return record === undefined ? null : retrieved(record, attributes);
  });
}

/**
 * One record.
 * @throws 404 with the same message for missing and hidden ones
 */
export async function object(engine: SearchEngine, caller: Caller, indexName: string, objectID: string, attributesToRetrieve: unknown) {
  const [record] = await objects(engine, caller, [{ indexName, objectID, attributesToRetrieve }]);
  if (!record) throw new Fault(404, "ObjectID does not exist");
  return record;
}
