import { expect, test } from "vitest";
import { clearCache, putCached, getCached } from "#baas/cache";
import { addToCounter, clearCounters, listCounters } from "#baas/counters";
import { appendItems, createHive, clearHives, listHiveNames, readList } from "#baas/hive";
import { describeEachStore } from "../../../test/support/rest/both-stores.ts";

await describeEachStore(({ open }) => {
  test("counters, cached values and hives can be cleared and used again", async () => {
    const { counters, cache, hives } = open();
    const list = { hive: "garden", key: "queue" };
    const fill = async () => {
      await addToCounter(counters, "visits", 3n);
      await putCached(cache, "sky", "blue");
      await createHive(hives, "garden");
      await appendItems(hives, list, ["bean"]);
    };
    await fill();
    await Promise.all([clearCounters(counters), clearCache(cache), clearHives(hives)]);
    expect([
      await listCounters(counters, "*"),
      await getCached(cache, "sky"),
      await listHiveNames(hives),
    ]).toEqual([[], "null", []]);
    await fill();
    expect(await addToCounter(counters, "visits", 1n)).toBe(4n);
    expect(await readList(hives, list, 0, -1)).toEqual(['"bean"']);
  });
});
