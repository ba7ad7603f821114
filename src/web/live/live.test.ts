import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Refusal } from "#platform/refusal";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import { liveResponse } from "./live-response.ts";
import { createRefetch } from "./live-refetch.ts";
import { DelayedTask } from "./delayed-task.ts";

afterEach(() => void vi.unstubAllGlobals());

describe("live data", () => {
  const read = (work: () => Promise<unknown>) => {
    vi.stubGlobal("fetch", () => liveResponse(work));
    return fetchLiveData("/somewhere");
  };

  test("contain real dates after parsing, and no text is mistaken for a date", async () => {
    const sent = {
      at: new Date("2026-05-04T09:00:00Z"),
      none: null,
      list: [{ at: new Date(0) }],
      text: "2026-05-04T09:00:00.000Z",
      typed: '{"$at":1}',
    };
    expect(await read(async () => sent)).toEqual(sent);
  });

  test('become "shut" after a refusal and null after a failure', async () => {
    for (const reason of ["not-found", "not-signed-in", "not-allowed"] as const)
      expect(await read(() => Promise.reject(new Refusal(reason, "No.")))).toBe("shut");
    expect(await read(() => Promise.reject(new Refusal("unavailable", "Later.")))).toBeNull();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    expect(await fetchLiveData("/somewhere")).toBeNull();
  });
});

test("a late response to an earlier request does not replace newer data", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  const answers: ((read: { latest: string }) => void)[] = [];
  vi.stubGlobal(
    "fetch",
    () => new Promise((answer) => answers.push((read) => answer(new Response(JSON.stringify(read))))),
  );
  const received: string[] = [];
  const soon = createRefetch<{ latest: string }>(() => "/somewhere", {
    took: ({ latest }) => received.push(latest),
    onAccessLost() {},
  });
  for (const wait of [1, 1]) {
    soon.within(wait);
    await vi.advanceTimersByTimeAsync(wait);
  }
  answers[1]!({ latest: "both" });
  await vi.advanceTimersByTimeAsync(1);
  answers[0]!({ latest: "the first alone" });
  await vi.advanceTimersByTimeAsync(1);
  expect(received).toEqual(["both"]);
  vi.useRealTimers();
});

describe("delayed task", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const done: number[] = [];
  let soon: DelayedTask;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", page);
    page.visibilityState = "visible";
    done.length = 0;
    soon = new DelayedTask(() => done.push(performance.now()));
  });
  afterEach(() => void vi.useRealTimers());

  test("runs only once, at the earliest requested time", () => {
    const start = performance.now();
    soon.within(1_000);
    soon.within(5_000);
    soon.within(200);
    soon.within(900);
    vi.advanceTimersByTime(10_000);
    expect(done).toEqual([start + 200]);
    soon.within(100);
    vi.advanceTimersByTime(100);
    expect(done).toHaveLength(2);
  });

  test("waits until the page is visible, and does not run after it was stopped", () => {
    page.visibilityState = "hidden";
    soon.within(100);
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual([]);
    page.visibilityState = "visible";
    page.dispatchEvent(new Event("visibilitychange"));
    expect(done).toHaveLength(1);
    soon.within(100);
    soon.stop();
    vi.advanceTimersByTime(1_000);
    expect(done).toHaveLength(1);
  });
});
