import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";

/** The service worker as it is served, in a world with the few things that it touches. */
type Shown = { title: string; options: { body: string; tag: string; dir: string; data: { url: string } } };
let shown: Shown[];
let opened: string[];
let focused: string[];
let windows: string[];
let line: () => Promise<unknown>;
let listeners: Record<string, (event: Record<string, unknown>) => void>;

beforeEach(() => {
  [shown, opened, focused, windows] = [[], [], [], []];
  listeners = {};
  line = () => Promise.reject(new TypeError("offline"));
  const self = {
    location: { origin: "https://kith.test" },
    navigator: { language: "de-AT" },
    addEventListener: (type: string, hear: (event: Record<string, unknown>) => void) => void (listeners[type] = hear),
    skipWaiting: async () => {},
    registration: { showNotification: async (title: string, options: Shown["options"]) => void shown.push({ title, options }) },
    clients: {
      claim: async () => {},
      matchAll: async () => windows.map((url) => ({ url, focus: async () => void focused.push(url) })),
      openWindow: async (url: string) => void opened.push(url),
    },
  };
  runInContext(readFileSync("public/sw.js", "utf8"), createContext({ self, URL, Response, fetch: () => line() }));
});

async function tell(type: string, event: Record<string, unknown>) {
  const work: Promise<unknown>[] = [];
  const answers: Promise<Response>[] = [];
  listeners[type]!({
    ...event,
    waitUntil: (it: Promise<unknown>) => work.push(it),
    respondWith: (it: Promise<Response>) => answers.push(it),
  });
  await Promise.all(work);
  return answers[0];
}
const push = (said: unknown) => tell("push", { data: { json: () => said } });

describe("what is pushed", () => {
  test("is shown, in the direction of its words, and leads to a page of ours", async () => {
    await push({ title: "Kith", body: "There is something new.", url: "/discussions/1?post=2#post-2", tag: "t", lang: "en" });
    await push({ title: "Kith", body: "هناك جديد لك.", url: "/", tag: "u", lang: "ar" });
    expect(shown).toMatchObject([
      {
        title: "Kith",
        options: { body: "There is something new.", tag: "t", dir: "auto", data: { url: "https://kith.test/discussions/1?post=2#post-2" } },
      },
      { options: { dir: "rtl" } },
    ]);
  });

  test.each(["https://elsewhere.test/", "//elsewhere.test/", "/\\elsewhere.test/", "javascript:alert(1)", 7, undefined])(
    "leads nowhere else, whatever it says: %s",
    async (url) => {
      await push({ title: "Kith", url });
      expect(new URL(shown[0]!.options.data.url).origin).toBe("https://kith.test");
    },
  );

  test("is shown also where it cannot be read", async () => {
    await tell("push", { data: { json: () => JSON.parse("{") as unknown } });
    await tell("push", { data: null });
    expect(shown.map(({ title }) => title)).toEqual(["Kith", "Kith"]);
  });

  test("opens the very page: the window that shows it, or a new one", async () => {
    const notification = { close: () => {}, data: { url: "https://kith.test/discussions/1?post=2#post-2" } };
    await tell("notificationclick", { notification });
    windows = ["https://kith.test/", notification.data.url];
    await tell("notificationclick", { notification });
    expect([opened, focused]).toEqual([[notification.data.url], [notification.data.url]]);
  });
});

describe("without a line", () => {
  const going = (mode: string, method = "GET") => ({ request: { mode, method, url: "https://kith.test/groups/long-beds?x=<script>" } });

  test("a page says so in the browser's language, and runs nothing", async () => {
    const answer = (await tell("fetch", going("navigate")))!;
    expect(answer.status).toBe(503);
    const html = await answer.text();
    expect(html).toContain("Du bist offline");
    expect(html).toContain('href="/groups/long-beds"');
    expect(html).not.toContain("<script");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("nothing but pages is touched, and with one nothing at all", async () => {
    expect(await tell("fetch", going("cors"))).toBeUndefined();
    expect(await tell("fetch", going("navigate", "POST"))).toBeUndefined();
    line = async () => "the page itself";
    expect(await tell("fetch", going("navigate"))).toBe("the page itself");
  });
});
