import { beforeEach, describe, expect, test } from "vitest";
import { testApi, links, orderStore, personStore } from "../../../../test/support/rest/data-api.ts";
import { APP, CLIENT } from "../../../../test/support/rest/rest-server.ts";

const q = encodeURIComponent;
const curl = async (method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await testApi.call(method, `/${APP}/${CLIENT}${path}`, body);
  return { status, answer: answer as unknown };
};

beforeEach(async () => {
  await personStore().save({ objectId: "Ann", name: "Ann" }, true);
  await orderStore().bulkCreate(["x", "y"].map((objectId) => ({ objectId, title: objectId })) as never);
  await personStore().setRelation("Ann", "orders", ["x", "y"]);
});

describe("children of a relation", () => {
  test.each(["where", "whereClause"])(
    "can be selected by %s, without affecting other children",
    async (name) => {
      const by = (method: string, clause: string) =>
        curl(method, `/data/Person/Ann/orders?${name}=${q(clause)}`);
      expect((await by("DELETE", "title = 'y'")).answer).toBe(1);
      expect(await links()).toEqual(["x"]);
      expect((await by("PUT", "title = 'y'")).answer).toBe(1);
      expect(await links()).toEqual(["x", "y"]);
      expect((await by("POST", "title = 'y'")).answer).toBe(1);
      expect(await links()).toEqual(["y"]);
    },
  );

  test.each([
    "",
    "?where=",
    "?whereClause=",
    "?where=1%3D1&where=1%3D0",
    "?where=1%3D1&whereClause=1%3D0",
    "?clause=1%3D1",
  ])("remain when a request with %s is refused because it lists no children", async (query) => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect([method, (await curl(method, `/data/Person/Ann/orders${query}`)).status]).toEqual([method, 422]);
    expect(await links()).toEqual(["x", "y"]);
  });

  test("can be removed with an empty list", async () => {
    expect((await curl("POST", "/data/Person/Ann/orders", [])).answer).toBe(0);
    expect(await links()).toEqual([]);
  });
});
