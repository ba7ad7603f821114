import { after, before, Refused, type Row } from "#extensions";

const trimmed = (records: Row[]) =>
  records.map((record) => {
    if (record.name === "weed") throw new Refused("No weeds.", { code: 1234 });
    return typeof record.name === "string" ? { ...record, name: record.name.trim() } : record;
  });
export const trim = before("Plant", "create", async ({ tables }, { records }) => {
  if (String(records[0]?.name).startsWith("asks")) await tables.find("Told");
  if (String(records[0]?.name).startsWith("hasty")) await new Promise((later) => setTimeout(later, 300));
  return trimmed(records);
});
export const trimAgain = before("Plant", "update", (_, { records }) => trimmed(records));
export const keep = before("Plant", "remove", () => {
  throw new Refused("Nothing is taken away here.");
});
export const large = before("Plant", "find", (_, { query }) =>
  query.where || query.distinct ? undefined : { ...query, where: "size > 50" },
);
export const created = after("Plant", "create", async ({ asServer }, { records }) => {
  if (records[0]?.name === "fails after") throw new Error("after all");
  if (records[0]?.size) await asServer.tables.save("Told", { text: `created ${records[0].name}` });
});
export const updated = after("Plant", "update", async ({ asServer }, { where, count }) => {
  if (where) await asServer.tables.save("Told", { text: `updated ${count} where ${where}` });
});
export const deeper = before("Deep", "create", async ({ tables }, { records }) => {
  await tables.save("Deep", { n: Number(records[0]?.n) + 1 });
});
export const pages = before("Page", "create", (_, { records }) => trimmed(records));
