import { type RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { createFetcher } from "#platform/fetcher";
import {
  checkDueLinks,
  getLinkHealth,
  removeResource,
  restoreResource,
  scheduleLinkChecks,
} from "./index.ts";
import {
  database,
  db,
  within,
  clock,
  people,
  site,
  requests,
  answerOk,
  answerNotFound,
  testAddress,
  addTestLink,
  runLinkChecks,
  getHealth,
  hoursUntilDue,
  listLinkEvents,
  failUntilDead,
} from "../../../test/support/resources/link-server.ts";

describe("link check", () => {
  test("runs once a week and requests the page only if it changed", async () => {
    const id = await addTestLink(testAddress("alive"));
    expect([await runLinkChecks(), await runLinkChecks()]).toEqual([1, 0]);
    expect([await getHealth(id), await hoursUntilDue(id), requests]).toEqual([
      "ok",
      7,
      ["HEAD alive.example/seeds"],
    ]);
    clock.pass(7 * DAY);
    let etag: unknown;
    site.answer = (request, reply) => {
      etag = request.headers["if-none-match"];
      reply.writeHead(304).end();
    };
    await runLinkChecks();
    expect([await getHealth(id), etag, await hoursUntilDue(id)]).toEqual(["ok", '"one"', 7]);
    expect((await getLinkHealth(db, people.guest, id)).checkedAt).toEqual(clock.at);
  });

  test("marks a link dead after three failures spread over seven days, and alive after one success", async () => {
    const id = await addTestLink(testAddress("dies"));
    await runLinkChecks();
    clock.pass(7 * DAY);
    site.answer = answerNotFound;
    await runLinkChecks();
    clock.pass(3.5 * DAY);
    await runLinkChecks();
    expect(await getHealth(id)).toBe("ok");
    clock.pass(3.5 * DAY);
    await runLinkChecks();
    expect([await getHealth(id), await listLinkEvents()]).toEqual([
      "dead",
      ["resource.link-checked", "resource.link-died"],
    ]);
    clock.pass(3.5 * DAY);
    await runLinkChecks();
    expect(await listLinkEvents()).toHaveLength(2);
    site.answer = answerOk;
    clock.pass(3.5 * DAY);
    await runLinkChecks();
    expect([await getHealth(id), (await listLinkEvents()).at(-1)]).toEqual(["ok", "resource.link-revived"]);
  });

  test("does not mark a link dead that fails only occasionally", async () => {
    const id = await addTestLink(testAddress("limps"));
    for (const mood of [answerNotFound, answerNotFound, answerOk, answerNotFound, answerNotFound]) {
      site.answer = mood;
      await runLinkChecks();
      clock.pass(7 * DAY);
    }
    expect(await getHealth(id)).toBe("ok");
  });

  test("marks a link dead if its host no longer exists", async () => {
    const id = await addTestLink("http://nowhere.example:1/");
    const unheard = createFetcher({
      canConnect: () => true,
      resolve: async () => Promise.reject(new Error("no such host")),
    });
    for (const wait of [0, 3.5 * DAY, 3.5 * DAY]) {
      clock.pass(wait);
      await checkDueLinks(database, unheard);
    }
    expect(await getHealth(id)).toBe("dead");
  });

  test("falls back to GET when HEAD is refused", async () => {
    const id = await addTestLink(testAddress("shy"));
    site.answer = (request, reply) =>
      void reply.writeHead(request.method === "HEAD" ? 405 : 200).end("x".repeat(100_000));
    await runLinkChecks();
    expect([await getHealth(id), requests]).toEqual([
      "ok",
      ["HEAD shy.example/seeds", "GET shy.example/seeds"],
    ]);
  });

  test.each([401, 403, 451])("treats status %i as reachable", async (status) => {
    const id = await addTestLink(testAddress("closed"));
    site.answer = (_request, reply) => void reply.writeHead(status).end();
    await runLinkChecks();
    expect(await getHealth(id)).toBe("ok");
  });

  test("postpones all links of a host that requests a pause", async () => {
    const [id, other] = [
      await addTestLink(testAddress("busy")),
      await addTestLink(testAddress("busy", "/weeds")),
    ];
    site.answer = (_request, reply) =>
      void reply.writeHead(429, { "retry-after": String((2 * DAY) / 1000) }).end();
    await runLinkChecks();
    expect([
      await hoursUntilDue(id),
      await hoursUntilDue(other),
      await runLinkChecks(),
      await getHealth(id),
    ]).toEqual([2, 2, 0, "unknown"]);
  });

  test("checks one link per host and minute", async () => {
    for (const path of ["/a", "/b", "/c"]) await addTestLink(testAddress("one", path));
    await addTestLink(testAddress("two"));
    expect([
      await runLinkChecks(),
      await runLinkChecks(),
      await runLinkChecks(),
      await runLinkChecks(),
    ]).toEqual([2, 1, 1, 0]);
  });

  test("stores permanent redirects and ignores temporary redirects", async () => {
    const [id, other] = [await addTestLink(testAddress("moved")), await addTestLink(testAddress("away"))];
    site.answer = (request, reply) => {
      if (request.url === "/new") return void reply.writeHead(200).end();
      reply.writeHead(request.headers.host?.startsWith("moved") ? 301 : 302, { location: "/new" }).end();
    };
    await runLinkChecks();
    expect([await getHealth(id), await getHealth(other)]).toEqual(["redirected", "ok"]);
    expect((await getLinkHealth(db, people.mira, id)).movedTo).toBe(testAddress("moved", "/new"));
    expect((await getLinkHealth(db, people.mira, other)).movedTo).toBeNull();
  });

  test.each<[string, RequestListener]>([
    ["leads in a circle", (request, reply) => void reply.writeHead(302, { location: request.url }).end()],
    ["never answers", () => {}],
    ["drips", (_request, reply) => void reply.socket!.write("HTTP/1.1 2")],
    ["hangs up", (_request, reply) => void reply.socket!.destroy()],
  ])("counts %s as a failure", async (_what, listener) => {
    const id = await addTestLink(testAddress("odd"));
    site.answer = listener;
    await runLinkChecks();
    expect(await one(db, sql`select failures from link_checks where resource_id = ${id}`)).toEqual({
      failures: 1,
    });
  });

  test("does not read a response of ten gigabytes", async () => {
    const id = await addTestLink(testAddress("large"));
    let sent = 0;
    site.answer = (request, reply) => {
      reply.writeHead(request.method === "HEAD" ? 500 : 200, { "content-length": 10_000_000_000 });
      const more = () =>
        void (reply.write(Buffer.alloc(65_536)) && (sent += 65_536) < 1e9 && setImmediate(more));
      if (request.method === "GET") more();
      else reply.end();
    };
    await runLinkChecks();
    expect([await getHealth(id), sent < 50_000_000]).toEqual(["ok", true]);
  });

  test("makes no request into the internal network", async () => {
    const id = await addTestLink("http://192.168.1.1/");
    await checkDueLinks(database, createFetcher());
    expect([await getHealth(id), await hoursUntilDue(id), await listLinkEvents()]).toEqual([
      "unknown",
      28,
      [],
    ]);
  });

  test("records no failure when our own connection is down", async () => {
    const ids = [
      await addTestLink(testAddress("a")),
      await addTestLink(testAddress("b")),
      await addTestLink(testAddress("c")),
    ];
    site.answer = (_request, reply) => void reply.socket!.destroy();
    await runLinkChecks();
    expect(await many(db, sql`select distinct failures from link_checks`)).toEqual([{ failures: 0 }]);
    clock.pass(2 * HOUR);
    site.answer = answerOk;
    await runLinkChecks();
    expect(await Promise.all(ids.map(getHealth))).toEqual(["ok", "ok", "ok"]);
  });

  test("skips removed resources without delaying other links of the same host", async () => {
    const id = await addTestLink(testAddress("seeds"));
    clock.pass(MINUTE);
    const other = await addTestLink(testAddress("seeds", "/other"));
    await within((tx) => removeResource(tx, people.mira, { resourceId: id, reason: "" }));
    site.answer = answerNotFound;
    expect([await runLinkChecks(), requests]).toEqual([0, []]);
    clock.pass(MINUTE);
    site.answer = answerOk;
    expect([await runLinkChecks(), requests, await getHealth(other)]).toEqual([
      1,
      ["HEAD seeds.example/other"],
      "ok",
    ]);
    await within((tx) => restoreResource(tx, people.mira, { resourceId: id }));
    clock.pass(7 * DAY);
    await runLinkChecks();
    expect(await getHealth(id)).toBe("ok");
  });

  test("starts over when the address of a link changes", async () => {
    const id = await addTestLink(testAddress("old"));
    site.answer = answerNotFound;
    await failUntilDead();
    await run(db, sql`update resources set url = ${testAddress("new")}, health = 'unknown' where id = ${id}`);
    clock.pass(MINUTE);
    await within(scheduleLinkChecks);
    site.answer = answerOk;
    await runLinkChecks();
    expect([await getHealth(id), requests.at(-1)]).toEqual(["ok", "HEAD new.example/seeds"]);
  });
});
