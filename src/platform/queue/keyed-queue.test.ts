import { expect, test } from "vitest";
import { KeyedQueue } from "./index.ts";

test("keyed queue runs tasks of one key in order; tasks of other keys do not wait", async () => {
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

test("keyed queue can run several tasks of one key concurrently", async () => {
  const queue = new KeyedQueue(2);
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const startedTasks: number[] = [];
  const works = gates.map((gate, n) =>
    queue.run("a", () => {
      startedTasks.push(n);
      return gate.promise;
    }),
  );
  await queue.run("b", async () => {});
  expect(startedTasks).toEqual([0, 1]);
  gates[1]!.resolve();
  await works[1];
  expect([startedTasks, queue.sizeOf("a")]).toEqual([[0, 1, 2], 2]);
  for (const gate of gates) gate.resolve();
  await queue.idle();
  expect(queue.size).toBe(0);
});

test("keyed queue reports a failed task to its caller and runs the next task", async () => {
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

test("keyed queue becomes idle when all tasks have ended, including tasks added meanwhile", async () => {
  const queue = new KeyedQueue();
  const done: string[] = [];
  void queue.run("a", async () => {
    void queue.run("b", async () => done.push("b"));
    done.push("a");
  });
  await queue.idle();
  expect([done, queue.size]).toEqual([["a", "b"], 0]);
});
