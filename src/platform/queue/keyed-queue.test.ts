import { expect, test } from "vitest";
import { KeyedQueue } from "./index.ts";

test("work of a key runs in order and one at a time; other keys do not wait", async () => {
  const queue = new KeyedQueue();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run("a", async () => {
    await gate.promise;
    events.push("first");
  });
  const second = queue.run("a", async () => events.push("second"));
  await queue.run("b", async () => events.push("other"));
  expect([queue.size, queue.sizeOf("a"), queue.sizeOf("b")]).toEqual([2, 2, 0]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(["other", "first", "second"]);
});

test("work follows failed work, whose caller gets the error", async () => {
  const queue = new KeyedQueue();
  const failed = queue.run("a", () => Promise.reject(new Error("no")));
  const thrown = queue.run("a", () => {
    throw new Error("neither");
  });
  const next = queue.run("a", async () => "next");
  await expect(failed).rejects.toThrow("no");
  await expect(thrown).rejects.toThrow("neither");
  expect(await next).toBe("next");
});

test("becomes idle when all work has ended, including work added meanwhile", async () => {
  const queue = new KeyedQueue();
  const done: string[] = [];
  void queue.run("a", async () => {
    void queue.run("b", async () => done.push("b"));
    done.push("a");
  });
  await queue.idle();
  expect([done, queue.size]).toEqual([["a", "b"], 0]);
});
