import { expect, test } from "vitest";
import { LookupQueue } from "./lookup-queue.ts";

/** Creates lookups that finish on demand, and records the order in which they start. */
function controlled(queue: LookupQueue) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (address: string, name: string) =>
    queue.run(address, () => {
      began.push(name);
      return new Promise<string>((end) => ends.set(name, () => end(name)));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { ask, end, began };
}

test("lookups above the concurrency limit wait, and each address gets its turn", async () => {
  const { ask, end, began } = controlled(new LookupQueue({ concurrency: 2 }));
  const flood = ["a1", "a2", "a3", "a4"].map((name) => ask("attacker", name));
  const other = ask("member", "b1");
  expect(began).toEqual(["a1", "a2"]);
  await end("a1");
  await end("a2");
  expect(began).toEqual(["a1", "a2", "a3", "b1"]);
  await end("b1");
  await end("a3");
  await end("a4");
  expect(await Promise.all([...flood, other])).toEqual(["a1", "a2", "a3", "a4", "b1"]);
});

test("next lookup starts after a failed one", async () => {
  const queue = new LookupQueue({ concurrency: 1 });
  const failing = queue.run("a", () => {
    throw new Error("at once");
  });
  const rejecting = queue.run("a", () => Promise.reject(new Error("later")));
  const found = queue.run("a", async () => 7);
  await expect(failing).rejects.toThrow("at once");
  await expect(rejecting).rejects.toThrow("later");
  expect(await found).toBe(7);
});

test("address with too many waiting lookups is refused, but other addresses are not", async () => {
  const { ask, end } = controlled(new LookupQueue({ concurrency: 1, waitingPerAddress: 1 }));
  void ask("a", "first");
  void ask("a", "waits");
  await expect(ask("a", "refused")).rejects.toMatchObject({ reason: "unavailable", retryAfter: 5 });
  const other = ask("b", "other");
  await end("first");
  await end("waits");
  await end("other");
  expect(await other).toBe("other");
});

test("lookup that has waited too long is refused without running", async () => {
  let now = 0;
  const { ask, end, began } = controlled(
    new LookupQueue({ concurrency: 1, longestWait: 100, now: () => now }),
  );
  void ask("a", "first");
  const waited = ask("a", "waited");
  const refused = expect(waited).rejects.toMatchObject({ reason: "unavailable" });
  now = 101;
  const fresh = ask("a", "fresh");
  await end("first");
  await refused;
  expect(began).toEqual(["first", "fresh"]);
  await end("fresh");
  expect(await fresh).toBe("fresh");
});
