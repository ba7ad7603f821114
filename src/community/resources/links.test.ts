import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { block } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { openFetcher } from "#platform/fetcher";
import { aGroup, bring, cast, type Cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  addLink,
  answerSuggestion,
  checkLinks,
  linkHealthOf,
  NewLink,
  removeResource,
  resourceFor,
  restoreResource,
  suggestAddress,
  watchLinks,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
let people: Cast;

/** A house of others that dies and comes back; what it was asked. */
let answer: RequestListener;
let heard: string[] = [];
const server = createServer((request, reply) => {
  heard.push(`${request.method} ${request.headers.host?.split(":")[0]}${request.url}`);
  answer(request, reply);
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
const fetcher = openFetcher({ mayConnect: (_address, to) => to === port, resolve: async () => ["127.0.0.1"], patience: 300 });
const well: RequestListener = (_request, reply) => void reply.writeHead(200, { etag: '"one"' }).end();
const gone: RequestListener = (_request, reply) => void reply.writeHead(404).end();

beforeEach(async () => {
  people = await cast(database);
  answer = well;
  heard = [];
});
const at = (host: string, path = "/seeds") => `http://${host}.example:${port}${path}`;
const add = async (url: string, groupId = "") => {
  const { id } = await within((tx) => addLink(tx, people.mira, NewLink.parse({ url, title: "Seeds", groupId })));
  await within(watchLinks);
  return id;
};
const check = () => checkLinks(database, fetcher);
const healthOf = async (id: string) => (await resourceFor(db, people.mira, id)).health;
const dueIn = async (id: string) => {
  const { due } = await one(db, sql<{ due: Date }>`select due_at as due from link_checks where resource_id = ${id}`);
  return (due.getTime() - clock.at.getTime()) / DAY;
};
const told = async () =>
  (await many(db, sql<{ type: string }>`select type from outbox where type like 'resource.link-%' order by at, id`)).map((it) => it.type);
/** Three looks over seven days. */
const dieSlowly = async () => {
  for (const wait of [0, 3.5 * DAY, 3.5 * DAY]) {
    clock.pass(wait);
    await check();
  }
};

describe("a link", () => {
  test("is looked at once a week, and only for what has changed", async () => {
    const id = await add(at("alive"));
    expect([await check(), await check()]).toEqual([1, 0]);
    expect([await healthOf(id), await dueIn(id), heard]).toEqual(["ok", 7, ["HEAD alive.example/seeds"]]);
    clock.pass(7 * DAY);
    let asked: unknown;
    answer = (request, reply) => {
      asked = request.headers["if-none-match"];
      reply.writeHead(304).end();
    };
    await check();
    expect([await healthOf(id), asked, await dueIn(id)]).toEqual(["ok", '"one"', 7]);
    expect((await linkHealthOf(db, people.guest, id)).checkedAt).toEqual(clock.at);
  });

  test("is dead after three failures over seven days, and alive at the first good answer", async () => {
    const id = await add(at("dies"));
    await check();
    clock.pass(7 * DAY);
    answer = gone;
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
    answer = well;
    clock.pass(3.5 * DAY);
    await check();
    expect([await healthOf(id), (await told()).at(-1)]).toEqual(["ok", "resource.link-revived"]);
  });

  test("that fails now and then is not dead", async () => {
    const id = await add(at("limps"));
    for (const mood of [gone, gone, well, gone, gone]) {
      answer = mood;
      await check();
      clock.pass(7 * DAY);
    }
    expect(await healthOf(id)).toBe("ok");
  });

  test("whose host is gone altogether dies the same way", async () => {
    const id = await add("http://nowhere.example:1/");
    const unheard = openFetcher({ mayConnect: () => true, resolve: async () => Promise.reject(new Error("no such host")) });
    for (const wait of [0, 3.5 * DAY, 3.5 * DAY]) {
      clock.pass(wait);
      await checkLinks(database, unheard);
    }
    expect(await healthOf(id)).toBe("dead");
  });

  test("is asked for with GET where HEAD is not liked", async () => {
    const id = await add(at("shy"));
    answer = (request, reply) => void reply.writeHead(request.method === "HEAD" ? 405 : 200).end("x".repeat(100_000));
    await check();
    expect([await healthOf(id), heard]).toEqual(["ok", ["HEAD shy.example/seeds", "GET shy.example/seeds"]]);
  });

  test.each([401, 403, 451])("that answers %i is there", async (status) => {
    const id = await add(at("closed"));
    answer = (_request, reply) => void reply.writeHead(status).end();
    await check();
    expect(await healthOf(id)).toBe("ok");
  });

  test("of a house that asks for patience is looked at later, with all others of it", async () => {
    const [id, other] = [await add(at("busy")), await add(at("busy", "/weeds"))];
    answer = (_request, reply) => void reply.writeHead(429, { "retry-after": String((2 * DAY) / 1000) }).end();
    await check();
    expect([await dueIn(id), await dueIn(other), await check(), await healthOf(id)]).toEqual([2, 2, 0, "unknown"]);
  });

  test("shares its house: one of each is looked at in a minute", async () => {
    for (const path of ["/a", "/b", "/c"]) await add(at("one", path));
    await add(at("two"));
    expect([await check(), await check(), await check(), await check()]).toEqual([2, 1, 1, 0]);
  });

  test("that leads on for good says where, and one that does so for now does not", async () => {
    const [id, other] = [await add(at("moved")), await add(at("away"))];
    answer = (request, reply) => {
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
  ])("that %s fails, in its time", async (_what, listener) => {
    const id = await add(at("odd"));
    answer = listener;
    await check();
    expect(await one(db, sql`select failures from link_checks where resource_id = ${id}`)).toEqual({ failures: 1 });
  });

  test("to ten gigabytes is not read", async () => {
    const id = await add(at("large"));
    let sent = 0;
    answer = (request, reply) => {
      reply.writeHead(request.method === "HEAD" ? 500 : 200, { "content-length": 10_000_000_000 });
      const more = () => void (reply.write(Buffer.alloc(65_536)) && (sent += 65_536) < 1e9 && setImmediate(more));
      if (request.method === "GET") more();
      else reply.end();
    };
    await check();
    expect([await healthOf(id), sent < 50_000_000]).toEqual(["ok", true]);
  });

  test("into the inside network is not asked at all", async () => {
    const id = await add("http://192.168.1.1/");
    await checkLinks(database, openFetcher());
    expect([await healthOf(id), await dueIn(id), await told()]).toEqual(["unknown", 28, []]);
  });

  test("is none the worse for a line of ours that is broken", async () => {
    const ids = [await add(at("a")), await add(at("b")), await add(at("c"))];
    answer = (_request, reply) => void reply.socket!.destroy();
    await check();
    expect(await many(db, sql`select distinct failures from link_checks`)).toEqual([{ failures: 0 }]);
    clock.pass(2 * HOUR);
    answer = well;
    await check();
    expect(await Promise.all(ids.map(healthOf))).toEqual(["ok", "ok", "ok"]);
  });

  test("that was taken away is left alone, and holds up no other of its house", async () => {
    const id = await add(at("seeds"));
    clock.pass(MINUTE);
    const other = await add(at("seeds", "/other"));
    await within((tx) => removeResource(tx, people.mira, { resourceId: id, reason: "" }));
    answer = gone;
    expect([await check(), heard]).toEqual([0, []]);
    clock.pass(MINUTE);
    answer = well;
    expect([await check(), heard, await healthOf(other)]).toEqual([1, ["HEAD seeds.example/other"], "ok"]);
    await within((tx) => restoreResource(tx, people.mira, { resourceId: id }));
    clock.pass(7 * DAY);
    await check();
    expect(await healthOf(id)).toBe("ok");
  });

  test("with another address is looked at anew", async () => {
    const id = await add(at("old"));
    answer = gone;
    await dieSlowly();
    await run(db, sql`update resources set url = ${at("new")}, health = 'unknown' where id = ${id}`);
    clock.pass(MINUTE);
    await within(watchLinks);
    answer = well;
    await check();
    expect([await healthOf(id), heard.at(-1)]).toEqual(["ok", "HEAD new.example/seeds"]);
  });
});

describe("a new address", () => {
  const dead = async (groupId = "") => {
    const id = await add(at("dead"), groupId);
    answer = gone;
    await dieSlowly();
    return id;
  };
  const suggest = (who: SignedIn, resourceId: string, url = at("found")) => within((tx) => suggestAddress(tx, who, { resourceId, url }));
  const seenBy = async (who: Cast[keyof Cast], id: string) => (await linkHealthOf(db, who, id)).suggestions;
  const decide = (who: SignedIn, resourceId: string, suggestionId: string, accept = true) =>
    within((tx) => answerSuggestion(tx, who, { resourceId, suggestionId, accept }));
  const events = () =>
    many(db, sql<{ payload: object }>`select payload from outbox where type like 'resource.address-%' order by id`).then((rows) =>
      rows.map((it) => it.payload),
    );

  test("is suggested, accepted with one press, and looked at", async () => {
    const id = await dead();
    await suggest(people.tomas, id);
    const [suggestion] = await seenBy(people.mira, id);
    expect(suggestion).toMatchObject({ url: at("found"), by: expect.objectContaining({ username: "tomas" }) as object, mine: false });
    await decide(people.mira, id, suggestion!.id);
    expect(await resourceFor(db, people.guest, id)).toMatchObject({ url: at("found"), health: "unknown" });
    await within(watchLinks);
    answer = well;
    await check();
    expect([await healthOf(id), await seenBy(people.mira, id)]).toEqual(["ok", []]);
    expect(await events()).toEqual([
      { type: "resource.address-suggested", resourceId: id, groupId: null, suggestionId: suggestion!.id, by: people.tomas.id },
      {
        type: "resource.address-accepted",
        resourceId: id,
        groupId: null,
        suggestionId: suggestion!.id,
        personId: people.tomas.id,
        by: people.mira.id,
      },
    ]);
  });

  test("is one of each person, and can be let go", async () => {
    const id = await dead();
    await suggest(people.tomas, id, at("first"));
    await suggest(people.tomas, id, at("second"));
    const waiting = await seenBy(people.mira, id);
    expect(waiting.map((it) => it.url)).toEqual([at("second")]);
    await decide(people.mira, id, waiting[0]!.id, false);
    expect((await resourceFor(db, people.mira, id)).url).toBe(at("dead"));
    await expect(decide(people.mira, id, waiting[0]!.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("is for links that lead nowhere, and for another one than theirs", async () => {
    const id = await add(at("alive"));
    await check();
    await expect(suggest(people.tomas, id)).rejects.toMatchObject({ reason: "conflict" });
    const other = await dead();
    await expect(suggest(people.tomas, other, `${at("dead")}/#top`)).rejects.toMatchObject({
      reason: "invalid",
      fields: { url: expect.any(String) as string },
    });
  });

  test("is suggested by who may comment, and decided by who looks after the link", async () => {
    const group = await aGroup(database, people, { visibility: "private" });
    await within((tx) => bring(tx, group.id, people.ines, "member"));
    const id = await dead(group.id);
    await expect(suggest(people.noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await suggest(people.ines, id);
    expect([(await seenBy(people.tomas, id)).length, (await seenBy(people.ines, id))[0]?.mine]).toEqual([1, true]);
    const [{ id: suggestionId }] = (await seenBy(people.mira, id)) as unknown as [{ id: string }];
    await expect(decide(people.ines, id, suggestionId)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(decide(people.noor, id, suggestionId)).rejects.toMatchObject({ reason: "not-found" });
    await decide(people.tomas, id, suggestionId);
    expect((await resourceFor(db, people.mira, id)).url).toBe(at("found"));
  });

  test("of somebody whom one has blocked is not shown", async () => {
    const id = await dead();
    await suggest(people.tomas, id);
    await within((tx) => block(tx, people.mira, { personId: people.tomas.id }));
    expect(await seenBy(people.mira, id)).toEqual([]);
    expect(await seenBy(people.guest, id)).toEqual([]);
  });
});
