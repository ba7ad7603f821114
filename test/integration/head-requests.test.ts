import { expect, test } from "vitest";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);

/** Nonces and request ids differ between responses but have a fixed length. */
const lengths = async (url: string, headers: Record<string, string>) => {
  const request = async (method: "HEAD" | "GET") => {
    const answer = await server.inject({ method, url, headers });
    return {
      answer,
      head: {
        status: answer.statusCode,
        type: answer.headers["content-type"],
        length: answer.headers["content-length"],
      },
    };
  };
  const [head, get] = [await request("HEAD"), await request("GET")];
  expect(head.answer.rawPayload).toHaveLength(0);
  expect(Number(get.head.length)).toBe(get.answer.rawPayload.length);
  return [head.head, get.head];
};

test("HEAD and GET return the same content-length for pages, data and errors", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "public" });
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  for (const headers of [{}, as(people.mira)])
    for (const url of [
      "/login",
      "/groups",
      "/groups.data",
      `/discussions/${id}`,
      `/discussions/${id}.data`,
      "/nowhere",
    ]) {
      const [head, get] = await lengths(url, headers);
      expect(head, url).toEqual(get);
    }
});
