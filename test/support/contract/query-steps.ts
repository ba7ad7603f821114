import { expect } from "vitest";
import { tableStore, PERSON } from "./table-steps.ts";
import { type ContractSteps, untyped } from "./contract-run.ts";

/** Table queries. */
export const QUERY_STEPS: ContractSteps = {
  "data: find": {
    call: (at) =>
      tableStore(at).find({ where: "name like 'J%'", relations: ["orders"], sortBy: ["age desc"] }),
    sends: () => [
      "POST",
      "/data/Person/find",
      { where: "name like 'J%'", loadRelations: "orders", sortBy: "age desc" },
    ],
    gives: () => [{ ...PERSON, orders: [{ objectId: "o2" }] }],
  },
  "data: findFirst": {
    call: (at) => tableStore(at).findFirst(),
    sends: () => ["POST", "/data/Person/find", { pageSize: 1, offset: 0, sortBy: "created asc" }],
    gives: () => ({ ___class: "Person" }),
  },
  "data: findLast": {
    call: (at) => tableStore(at).findLast(),
    sends: () => ["POST", "/data/Person/find", { pageSize: 1, offset: 0, sortBy: "created desc" }],
    gives: () => ({ ___class: "Person" }),
  },
  "data: findById": {
    call: (at) => tableStore(at).findById("p1", { properties: ["name"] }),
    sends: () => ["GET", "/data/Person/p1?property=name"],
    gives: () => ({ ...PERSON, name: "Joe" }),
  },
  "data: findById, by other keys": {
    call: (at) => tableStore(at).findById({ name: "Joe", age: 5 } as never),
    sends: () => ["GET", "/data/Person/pk?name=Joe&age=5"],
    gives: () => PERSON,
  },
  "data: getObjectCount": {
    call: (at) => tableStore(at).getObjectCount("age is not null"),
    sends: () => ["POST", "/data/Person/count", { where: "age is not null" }],
    gives: () => 1,
  },
  "data: group": {
    call: (at) => untyped(tableStore(at))["group"]!({ groupBy: ["name"], pageSize: 5 }),
    sends: () => ["POST", "/data/data-grouping/Person", { groupBy: "name", pageSize: 5 }],
    gives: () => ({
      hasNextPage: false,
      items: [{ groupBy: { column: "name", value: "Joe" } }, { groupBy: { column: "name", value: "Kim" } }],
    }),
  },
  "data: countInGroup": {
    call: (at) =>
      untyped(tableStore(at))["countInGroup"]!({
        groupBy: ["name"],
        groupPath: [{ column: "name", value: "Joe" }],
      }),
    sends: () => [
      "POST",
      "/data/data-grouping/Person/count",
      { groupBy: "name", groupPath: [{ column: "name", value: "Joe" }] },
    ],
    gives: () => 1,
  },
  "data: describe": {
    call: ({ server }) => server.Data.describe("Order"),
    sends: () => ["GET", "/data/Order/properties"],
    gives: () =>
      expect.arrayContaining([
        expect.objectContaining({ name: "title", type: "STRING", required: true }),
      ]) as unknown,
  },
  "data: getTableNameById": {
    call: ({ server }) => untyped(server.Data)["getTableNameById"]!("Users"),
    sends: () => ["GET", "/data/Users/table-name"],
    gives: () => "Users",
  },
};
