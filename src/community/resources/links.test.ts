import { type RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { openFetcher } from "#platform/fetcher";
import { checkLinks, linkHealthOf, removeResource, restoreResource, watchLinks } from "./index.ts";
import {
  database,
  db,
  within,
  clock,
  people,
  site,
  heard,
  well,
  gone,
  at,
  add,
  check,
  healthOf,
  dueIn,
  told,
  dieSlowly,
} from "./links.fixture.ts";

describe("link check", () => {
  test("runs once a week and asks only for changes", async () => {
    const id = await add(at("alive"));
    expect([await check(), await check()]).toEqual([1, 0]);
    expect([await healthOf(id), await dueIn(id), heard]).toEqual(["ok", 7, ["HEAD alive.example/seeds"]]);
    clock.pass(7 * DAY);
    let asked: unknown;
    site.answer = (request, reply) => {
      asked = request.headers["if-none-match"];
      reply.writeHead(304).end();
    };
    await check();
    expect([await healthOf(id), asked, await dueIn(id)]).toEqual(["ok", '"one"', 7]);
    expect((await linkHealthOf(db, people.guest, id)).checkedAt).toEqual(clock.at);
  });

  test("marks a link dead after three failures over seven days, alive after one success", async () => {
    const id = await add(at("dies"));
    await check();
    clock.pass(7 * DAY);
    site.answer = gone;
    await check();
    clock.pass(3.5 * DAY);
    await check();
    expect(await healthOf(id)).toBe("ok");
    clock.pass(3.5 * DAY);
    await check();
    expect([await healthOf(id), await told()]).toEqual(["dead", ["resource.link-checked", "resource.link-died"]]);
    clock.pass(3.5 * DAY);
    await check();
    expect(await told()).toHaveLength(2);
    site.answer = well;
    clock.pass(3.5 * DAY);
    await check();
    expect([await healthOf(id), (await told()).at(-1)]).toEqual(["ok", "resource.link-revived"]);
  });

  test("keeps a link alive that fails now and then", async () => {
    const id = await add(at("limps"));
    for (const mood of [gone, gone, well, gone, gone]) {
      site.answer = mood;
      await check();
      clock.pass(7 * DAY);
    }
    expect(await healthOf(id)).toBe("ok");
  });

  test("marks a link dead whose host no longer exists", async () => {
    const id = await add("http://nowhere.example:1/");
    const unheard = openFetcher({ mayConnect: () => true, resolve: async () => Promise.reject(new Error("no such host")) });
    for (const wait of [0, 3.5 * DAY, 3.5 * DAY]) {
      clock.pass(wait);
      await checkLinks(database, unheard);
    }
    expect(await healthOf(id)).toBe("dead");
  });

  test("falls back to GET when HEAD is refused", async () => {
    const id = await add(at("shy"));
    site.answer = (request, reply) => void reply.writeHead(request.method === "HEAD" ? 405 : 200).end("x".repeat(100_000));
    await check();
    expect([await healthOf(id), heard]).toEqual(["ok", ["HEAD shy.example/seeds", "GET shy.example/seeds"]]);
  });

  test.each([401, 403, 451])("treats status %i as reachable", async (status) => {
    const id = await add(at("closed"));
    site.answer = (_request, reply) => void reply.writeHead(status).end();
    await check();
    expect(await healthOf(id)).toBe("ok");
  });

  test("postpones all links of a host that asks for a pause", async () => {
    const [id, other] = [await add(at("busy")), await add(at("busy", "/weeds"))];
    site.answer = (_request, reply) => void reply.writeHead(429, { "retry-after": String((2 * DAY) / 1000) }).end();
    await check();
    expect([await dueIn(id), await dueIn(other), await check(), await healthOf(id)]).toEqual([2, 2, 0, "unknown"]);
  });

  test("checks one link of each host a minute", async () => {
    for (const path of ["/a", "/b", "/c"]) await add(at("one", path));
    await add(at("two"));
    expect([await check(), await check(), await check(), await check()]).toEqual([2, 1, 1, 0]);
  });

  test("stores permanent redirects and ignores temporary ones", async () => {
    const [id, other] = [await add(at("moved")), await add(at("away"))];
    site.answer = (request, reply) => {
      if (request.url === "/new") return void reply.writeHead(200).end();
      reply.writeHead(request.headers.host?.startsWith("moved") ? 301 : 302, { location: "/new" }).end();
    };
    await check();
    expect([await healthOf(id), await healthOf(other)]).toEqual(["redirected", "ok"]);
    expect((await linkHealthOf(db, people.mira, id)).movedTo).toBe(at("moved", "/new"));
    expect((await linkHealthOf(db, people.mira, other)).movedTo).toBeNull();
  });

  test.each<[string, RequestListener]>([
    ["leads in a circle", (request, reply) => void reply.writeHead(302, { location: request.url }).end()],
    ["never answers", () => {}],
    ["drips", (_request, reply) => void reply.socket!.write("HTTP/1.1 2")],
    ["hangs up", (_request, reply) => void reply.socket!.destroy()],
  ])("counts %s as a failure", async (_what, listener) => {
    const id = await add(at("odd"));
    site.answer = listener;
    await check();
    expect(await one(db, sql`select failures from link_checks where resource_id = ${id}`)).toEqual({ failures: 1 });
  });

  test("does not read ten gigabytes", async () => {
    const id = await add(at("large"));
    let sent = 0;
    site.answer = (request, reply) => {
      reply.writeHead(request.method === "HEAD" ? 500 : 200, { "content-length": 10_000_000_000 });
      const more = () => void (reply.write(Buffer.alloc(65_536)) && (sent += 65_536) < 1e9 && setImmediate(more));
      if (request.method === "GET") more();
      else reply.end();
    };
    await check();
    expect([await healthOf(id), sent < 50_000_000]).toEqual(["ok", true]);
  });

  test("makes no request into the internal network", async () => {
    const id = await add("http://192.168.1.1/");
    await checkLinks(database, openFetcher());
    expect([await healthOf(id), await dueIn(id), await told()]).toEqual(["unknown", 28, []]);
  });

  test("records no failure when our own connection is down", async () => {
    const ids = [await add(at("a")), await add(at("b")), await add(at("c"))];
    site.answer = (_request, reply) => void reply.socket!.destroy();
    await check();
    expect(await many(db, sql`select distinct failures from link_checks`)).toEqual([{ failures: 0 }]);
    clock.pass(2 * HOUR);
    site.answer = well;
    await check();
    expect(await Promise.all(ids.map(healthOf))).toEqual(["ok", "ok", "ok"]);
  });

  test("skips removed resources without delaying others of their host", async () => {
    const id = await add(at("seeds"));
    clock.pass(MINUTE);
    const other = await add(at("seeds", "/other"));
    await within((tx) => removeResource(tx, people.mira, { resourceId: id, reason: "" }));
    site.answer = gone;
    expect([await check(), heard]).toEqual([0, []]);
    clock.pass(MINUTE);
    site.answer = well;
    expect([await check(), heard, await healthOf(other)]).toEqual([1, ["HEAD seeds.example/other"], "ok"]);
    await within((tx) => restoreResource(tx, people.mira, { resourceId: id }));
    clock.pass(7 * DAY);
    await check();
    expect(await healthOf(id)).toBe("ok");
  });

  test("starts again for a changed address", async () => {
    const id = await add(at("old"));
    site.answer = gone;
    await dieSlowly();
    await run(db, sql`update resources set url = ${at("new")}, health = 'unknown' where id = ${id}`);
    clock.pass(MINUTE);
    await within(watchLinks);
    site.answer = well;
    await check();
    expect([await healthOf(id), heard.at(-1)]).toEqual(["ok", "HEAD new.example/seeds"]);
  });
});
