import { many, sql } from "#platform/database";
import { readLinks, readRows } from "../rest/data-rows.ts";
import { type StepContext, anyOfType, type ContractSteps, untyped } from "./contract-run.ts";

export const PERSON = { ___class: "Person", objectId: "p1" };
export const tableStore = ({ server }: StepContext, table = "Person") => server.Data.of(table);
const readPeople = async ({ testApi }: StepContext) =>
  (await readRows(testApi.app.tables, "Person")).map(({ objectId, name, age }) => [objectId, name, age]);
const readOrders = ({ testApi }: StepContext) => readLinks(testApi.app.tables, "Person", "orders");
const readGrants = async ({ database }: StepContext) =>
  (
    await many(
      database.db,
      sql<{
        act: string;
        kind: string;
        subject: string;
        allowed: boolean;
      }>`select act, kind, subject, allowed from data_grants order by act, kind`,
    )
  ).map((it) => Object.values(it).join(" "));

/** Saving and relations. */
export const SAVE_STEPS: ContractSteps = {
  "management: createTable": {
    call: ({ server }) =>
      untyped((server as unknown as { Management: { Data: unknown } }).Management.Data)["createTable"]!(
        "Made",
        [{ name: "n", dataType: "INT" }],
      ),
    sends: () => [
      "POST",
      "/management/data/table",
      { name: "Made", columns: [{ name: "n", dataType: "INT" }] },
    ],
    gives: () => ({ name: "Made", published: false }),
  },
  "data: save, with an id that is new": {
    call: (at) => tableStore(at).save({ objectId: "p1", name: "Joe" }, true),
    sends: () => ["PUT", "/data/Person/upsert", { objectId: "p1", name: "Joe" }],
    gives: () => ({ ...PERSON, name: "Joe", age: null }),
    keeps: readPeople,
    kept: [["p1", "Joe", null]],
  },
  "data: save, of what stands": {
    call: (at) => tableStore(at).save({ objectId: "p1", age: 3 }),
    sends: () => ["PUT", "/data/Person", { objectId: "p1", age: 3 }],
    gives: () => ({ ...PERSON, name: "Joe", age: 3 }),
    keeps: readPeople,
    kept: [["p1", "Joe", 3]],
  },
  "data: bulkCreate": {
    call: (at) =>
      tableStore(at, "Order").bulkCreate([
        { objectId: "o1", title: "one" },
        { objectId: "o2", title: "two" },
      ] as never),
    sends: () => [
      "POST",
      "/data/bulk/Order",
      [
        { objectId: "o1", title: "one" },
        { objectId: "o2", title: "two" },
      ],
    ],
    gives: () => ["o1", "o2"],
  },
  "data: bulkUpsert": {
    call: (at) =>
      tableStore(at).bulkUpsert([
        { objectId: "p1", age: 4 },
        { objectId: "p2", name: "Kim" },
      ] as never),
    sends: () => [
      "PUT",
      "/data/bulkupsert/Person",
      [
        { objectId: "p1", age: 4 },
        { objectId: "p2", name: "Kim" },
      ],
    ],
    gives: () => ["p1", "p2"],
    keeps: readPeople,
    kept: [
      ["p1", "Joe", 4],
      ["p2", "Kim", null],
    ],
  },
  "data: bulkUpdate": {
    call: (at) => tableStore(at).bulkUpdate("age > 3", { age: 5 }),
    sends: () => ["PUT", "/data/bulk/Person?where=age%20%3E%203", { age: 5 }],
    gives: () => 1,
    keeps: readPeople,
    kept: [
      ["p1", "Joe", 5],
      ["p2", "Kim", null],
    ],
  },
  "data: deepSave": {
    call: (at) => tableStore(at).deepSave({ objectId: "p2", friend: { objectId: "p1" } }),
    sends: () => ["PUT", "/data/Person/deep-save", { objectId: "p2", friend: { objectId: "p1" } }],
    gives: () => ({ objectId: "p2", friend: PERSON }),
    keeps: ({ testApi }) => readLinks(testApi.app.tables, "Person", "friend"),
    kept: ["p1"],
  },
  "data: setRelation": {
    call: (at) => tableStore(at).setRelation("p1", "orders", ["o1"]),
    sends: () => ["POST", "/data/Person/p1/orders", ["o1"]],
    gives: () => 1,
    keeps: readOrders,
    kept: ["o1"],
  },
  "data: addRelation, by a clause": {
    call: (at) => tableStore(at).addRelation("p1", "orders", "title = 'two'"),
    sends: () => ["PUT", "/data/Person/p1/orders?whereClause=title%20%3D%20%27two%27"],
    gives: () => 1,
    keeps: readOrders,
    kept: ["o1", "o2"],
  },
  "data: loadRelations": {
    call: (at) =>
      tableStore(at).loadRelations(
        "p1",
        at.server.LoadRelationsQueryBuilder.create().setRelationName("orders").setPageSize(1),
      ),
    sends: () => ["GET", "/data/Person/p1/orders?pageSize=1"],
    gives: () => [{ ___class: "Order" }],
  },
  "data: deleteRelation": {
    call: (at) => tableStore(at).deleteRelation("p1", "orders", ["o1"]),
    sends: () => ["DELETE", "/data/Person/p1/orders", ["o1"]],
    gives: () => 1,
    keeps: readOrders,
    kept: ["o2"],
  },
};

/** Permissions, transactions and deletion. */
export const REMOVE_STEPS: ContractSteps = {
  "data: grant to a user": {
    call: ({ server, ana }) => server.Data.Permissions.FIND.grantForUser(ana, PERSON),
    sends: ({ ana }) => ["PUT", "/data/Person/permissions/GRANT/p1", { permission: "FIND", user: ana }],
    gives: () => "",
    keeps: async (at) => (await readGrants(at)).length,
    kept: 1,
  },
  "data: deny to all roles": {
    call: ({ server }) => server.Data.Permissions.REMOVE.denyForAllRoles(PERSON),
    sends: () => ["PUT", "/data/Person/permissions/DENY/p1", { permission: "REMOVE", role: "*" }],
    gives: () => "",
    keeps: async (at) => (await readGrants(at))[1],
    kept: "REMOVE role * false",
  },
  "transaction: from JSON": {
    call: ({ server }) =>
      (server.UnitOfWork as unknown as { initFromJSON: (it: object) => Backendless.UnitOfWork })
        .initFromJSON({
          operations: [
            {
              operationType: "CREATE",
              table: "Order",
              payload: { objectId: "o3", title: "three" },
              opResultId: "a",
            },
          ],
        })
        .execute(),
    sends: () => [
      "POST",
      "/transaction/unit-of-work",
      {
        operations: [
          {
            operationType: "CREATE",
            table: "Order",
            payload: { objectId: "o3", title: "three" },
            opResultId: "a",
          },
        ],
      },
    ],
    gives: () => ({
      success: true,
      error: null,
      results: { a: { operationType: "CREATE", result: { objectId: "o3" } } },
    }),
  },
  "data: bulkDelete": {
    call: (at) => tableStore(at, "Order").bulkDelete([{ objectId: "o1" }, { objectId: "o3" }] as never),
    sends: () => ["POST", "/data/bulk/Order/delete", { where: "objectId in ('o1','o3')" }],
    gives: () => 2,
  },
  "data: remove": {
    call: (at) => tableStore(at).remove("p1"),
    sends: () => ["DELETE", "/data/Person/p1"],
    gives: () => ({ deletionTime: anyOfType(Number) }),
    keeps: readPeople,
    kept: [["p2", "Kim", null]],
  },
};
