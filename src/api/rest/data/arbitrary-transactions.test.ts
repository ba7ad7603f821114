import type Backendless from "backendless";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestTables, readRows as standingIn } from "../../../../test/support/rest/data-rows.ts";
import { CLIENT, startTestApi, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let sdk: typeof Backendless;
beforeAll(async () => {
  testApi = await startTestApi(database);
  sdk = testApi.sdk();
});
beforeEach(async () => {
  testApi.forget();
  await createTestTables(testApi.app.tables);
});
afterAll(() => testApi.close());

const standing = (name = "Person") => standingIn(testApi.app.tables, name);
const people = () => sdk.Data.of("Person");

describe("arbitrary transaction", () => {
  const types = [
    "CREATE",
    "UPDATE",
    "UPSERT",
    "DELETE",
    "CREATE_BULK",
    "UPSERT_BULK",
    "UPDATE_BULK",
    "DELETE_BULK",
    "FIND",
    "ADD_RELATION",
    "SET_RELATION",
    "DELETE_RELATION",
  ];
  const value = fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(
      "p",
      "",
      "'; drop table data_tables; --",
      "age > 1",
      "1=1",
      null,
      1,
      -0.5,
      1e300,
      true,
      "name",
      "orders",
      [],
      {},
    ),
    fc.record({
      ___ref: fc.constant(true),
      opResultId: fc.constantFrom("a", "b", "c"),
      resultIndex: fc.option(fc.integer({ min: -1, max: 2 })),
      propName: fc.constantFrom("objectId", "name", "__proto__"),
    }),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const keys = fc.constantFrom(
    "objectId",
    "name",
    "age",
    "profile",
    "home",
    "born",
    "orders",
    "changes",
    "conditional",
    "unconditional",
    "parentObject",
    "relationColumn",
    "whereClause",
    "queryOptions",
    "properties",
    "__proto__",
    'a"b',
  );
  const record = fc.dictionary(
    keys,
    fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.dictionary(keys, value, { maxKeys: 3 })),
    {
      maxKeys: 5,
    },
  );
  const payload = fc.oneof(record, fc.array(fc.oneof(record, value), { maxLength: 3 }), value);
  const operation = fc.record({
    operationType: fc.constantFrom(...types),
    table: fc.constantFrom("Person", "Order", "None", '"'),
    payload,
    opResultId: fc.constantFrom("a", "b", "c", "d"),
  });

  test(
    "gets an answer or a refusal, but no internal error",
    async () => {
      await testApi.set({ apiCalls: 0 });
      await people().save({ objectId: "p", age: 1, profile: {} }, true);
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 4 }), fc.boolean(), async (operations, single) => {
          const call =
            single && operations[0]
              ? ["PUT", "/data/Person", operations[0].payload]
              : ["POST", "/transaction/unit-of-work", { operations }];
          const answer = await testApi.call(
            call[0] as string,
            `/${testApi.app.appId}/${CLIENT}${call[1] as string}`,
            call[2],
          );
          expect([answer.status < 500, answer.text]).toEqual([
            true,
            expect.not.stringMatching(/syntax error|SQLSTATE|relation "|operator does not/),
          ]);
        }),
        { numRuns: countCases(150, 4) },
      );
      expect(await standing()).toEqual(expect.any(Array));
    },
    FUZZ_TIMEOUT,
  );
});
