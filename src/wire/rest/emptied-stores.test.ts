import { expect, test } from "vitest";
import { emptyCache, putCached, readCached } from "#backend/cache";
import { addTo, emptyCounters, listCounters } from "#backend/counters";
import { addLast, createHive, emptyHives, hiveNames, readList } from "#backend/hive";
import { inEachStore } from "./stores.fixture.ts";

await inEachStore(({ open }) => {
  test("emptied site has no counters, cached values or hives, and keeps working", async () => {
    const { counters, cache, hives } = open();
    const list = { hive: "garden", key: "queue" };
    const fill = async () => {
      await addTo(counters, "visits", 3n);
      await putCached(cache, "sky", "blue");
      await createHive(hives, "garden");
      await addLast(hives, list, ["bean"]);
    };
    await fill();
    await Promise.all([emptyCounters(counters), emptyCache(cache), emptyHives(hives)]);
    expect([await listCounters(counters, "*"), await readCached(cache, "sky"), await hiveNames(hives)]).toEqual([[], "null", []]);
    await fill();
    expect(await addTo(counters, "visits", 1n)).toBe(4n);
    expect(await readList(hives, list, 0, -1)).toEqual(['"bean"']);
  });
});
