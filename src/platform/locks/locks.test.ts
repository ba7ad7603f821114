import { afterEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { Locks } from "./index.ts";

const { pool } = await testDatabase();
/** Two processes, as far as the database knows. */
const [here, there] = [new Locks({ pool }), new Locks({ pool })];
const nobody = () => new AbortController().signal;
const quietly = {
  onReleaseRequest: () => {},
  get signal() {
    return nobody();
  },
};
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of open.splice(0)) await release();
});

/** A holder that releases when asked. */
async function polite(locks: Locks, name: string) {
  const asked = Promise.withResolvers<void>();
  const release = await locks.take(name, { onReleaseRequest: asked.resolve, signal: nobody() });
  return { asked: asked.promise, release };
}

test.each([
  ["in another process", there],
  ["in the same process", here],
])("lock holder is asked to release the lock when someone waits for it %s", async (_where, other) => {
  const one = await polite(here, "bean");
  const events: string[] = [];
  const waiting = polite(other, "bean").then((it) => (events.push("taken"), it));
  await one.asked;
  events.push("let go");
  await one.release();
  const two = await waiting;
  expect(events).toEqual(["let go", "taken"]);
  await two.release();
});

test("lock with another name can be taken at once", async () => {
  open.push(
    await here.take("bean", quietly),
    await there.take("pea", quietly),
    await here.take("onion", quietly),
  );
  expect(open).toHaveLength(3);
});

test("waiting process is not asked to release the lock", async () => {
  let asked = 0;
  const release = await here.take("bean", { onReleaseRequest: () => asked++, signal: nobody() });
  const askedWhoWait: string[] = [];
  const wait = async (locks: Locks, who: string) => {
    const done = await locks.take("bean", {
      onReleaseRequest: () => askedWhoWait.push(who),
      signal: nobody(),
    });
    await done();
  };
  const waiting = [wait(there, "one"), wait(there, "two"), wait(new Locks({ pool }), "three")];
  await expect.poll(() => asked).toBeGreaterThan(6);
  expect(askedWhoWait).toEqual([]);
  await release();
  await Promise.all(waiting);
});

test("waiting processes get the lock one after another", async () => {
  let inside = 0;
  const most: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const release = await (n % 2 ? here : there).take("bean", quietly);
      most.push(++inside);
      await pool.query("select 1");
      inside--;
      await release();
    }),
  );
  expect(most).toEqual(Array.from({ length: 12 }, () => 1));
});

test("waiting process that times out or aborts is refused and blocks no one", async () => {
  const hasty = new Locks({ pool, timeout: 100 });
  const release = await here.take("bean", quietly);
  await expect(hasty.take("bean", quietly)).rejects.toMatchObject({ reason: "unavailable", retryAfter: 5 });
  const leaving = new AbortController();
  const waiting = there.take("bean", { onReleaseRequest: () => {}, signal: leaving.signal });
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ reason: "unavailable" });
  await release();
  open.push(await hasty.take("bean", quietly));
  expect(open).toHaveLength(1);
});

test("holder with a broken connection is notified, and another process gets the lock", async () => {
  const one = await polite(here, "bean");
  await pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> " +
      "pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
  );
  await one.asked;
  const two = await polite(there, "bean");
  await one.release();
  // The previous holder's release does not affect the new holder.
  await expect(new Locks({ pool, timeout: 100 }).take("bean", quietly)).rejects.toMatchObject({
    reason: "unavailable",
  });
  await two.release();
  await (await polite(here, "bean")).release();
});

test("released locks occupy no database connection", async () => {
  await (
    await here.take("bean", quietly)
  )();
  expect(pool.totalCount - pool.idleCount).toBe(0);
});
