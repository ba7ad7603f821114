import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";

/** The built service worker, in an environment with the few APIs that it uses. */
type Shown = { title: string; options: { body: string; tag: string; dir: string; data: { url: string } } };
let shown: Shown[];
let opened: string[];
let focused: string[];
let windows: string[];
let line: (asked?: unknown) => Promise<unknown>;
let caches: Caches;
let listeners: Record<string, (event: Record<string, unknown>) => void>;

beforeEach(() => {
  [shown, opened, focused, windows] = [[], [], [], []];
  listeners = {};
  line = () => Promise.reject(new TypeError("offline"));
  const self = {
    location: { origin: "https://kith.test" },
    navigator: { language: "de-AT" },
    addEventListener: (type: string, listener: (event: Record<string, unknown>) => void) =>
      void (listeners[type] = listener),
    skipWaiting: async () => {},
    registration: {
      showNotification: async (title: string, options: Shown["options"]) =>
        void shown.push({ title, options }),
    },
    clients: {
      claim: async () => {},
      matchAll: async () => windows.map((url) => ({ url, focus: async () => void focused.push(url) })),
      openWindow: async (url: string) => void opened.push(url),
    },
  };
  caches = new Caches();
  const world = createContext({
    self,
    URL,
    Response,
    caches,
    fetch: (asked: unknown) => line(asked),
    importScripts,
  });
  function importScripts(path: string) {
    runInContext(readFileSync(`public${path}`, "utf8"), world);
  }
  importScripts("/sw.js");
});

/** The Cache API as far as the worker uses it. */
class Caches {
  readonly all = new Map<string, Map<string, Response>>();
  keys = async () => [...this.all.keys()];
  delete = async (name: string) => this.all.delete(name);
  open = async (name: string) => {
    const responses = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, responses);
    const at = (address: string) => new URL(address, "https://kith.test").href;
    return {
      match: async (address: string) => responses.get(at(address))?.clone(),
      put: async (address: string, answer: Response) => void responses.set(at(address), answer),
      delete: async (address: string) => responses.delete(at(address)),
      keys: async () => [...responses.keys()].map((url) => ({ url })),
    };
  };
}

async function dispatchEvent(type: string, event: Record<string, unknown>) {
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
const push = (data: unknown) => dispatchEvent("push", { data: { json: () => data } });

describe("push notification in the service worker", () => {
  test("uses the direction of its text and links to a page of ours", async () => {
    await push({
      title: "Kith",
      body: "There is something new.",
      url: "/discussions/1?post=2#post-2",
      tag: "t",
      lang: "en",
    });
    await push({ title: "Kith", body: "هناك جديد لك.", url: "/", tag: "u", lang: "ar" });
    expect(shown).toMatchObject([
      {
        title: "Kith",
        options: {
          body: "There is something new.",
          tag: "t",
          dir: "auto",
          data: { url: "https://kith.test/discussions/1?post=2#post-2" },
        },
      },
      { options: { dir: "rtl" } },
    ]);
  });

  test.each([
    "https://elsewhere.test/",
    "//elsewhere.test/",
    "/\\elsewhere.test/",
    "javascript:alert(1)",
    7,
    undefined,
  ])("never opens a page of another site: %s", async (url) => {
    await push({ title: "Kith", url });
    expect(new URL(shown[0]!.options.data.url).origin).toBe("https://kith.test");
  });

  test("appears even when it is unreadable", async () => {
    await dispatchEvent("push", { data: { json: () => JSON.parse("{") as unknown } });
    await dispatchEvent("push", { data: null });
    expect(shown.map(({ title }) => title)).toEqual(["Kith", "Kith"]);
  });

  test("opens its page in the window that shows it, otherwise in a new one", async () => {
    const notification = { close: () => {}, data: { url: "https://kith.test/discussions/1?post=2#post-2" } };
    await dispatchEvent("notificationclick", { notification });
    windows = ["https://kith.test/", notification.data.url];
    await dispatchEvent("notificationclick", { notification });
    expect([opened, focused]).toEqual([[notification.data.url], [notification.data.url]]);
  });
});

const HOUSE = "https://kith.test";
const going = (path: string, { mode = "navigate", method = "GET" } = {}) => ({
  request: { mode, method, url: HOUSE + path },
});
const answering = (status: number, headers: Record<string, string> = {}, type = "basic") => {
  line = async () => ({ status, type, headers: new Headers(headers) });
};

describe("offline mode", () => {
  test("shows the offline page in the browser's language, without scripts, with a link to the address", async () => {
    const answer = (await dispatchEvent("fetch", going("/groups/long-beds?order=new&x=<script>")))!;
    expect(answer.status).toBe(503);
    const html = await answer.text();
    expect(html).toContain("Du bist offline");
    expect(html).toContain('href="/groups/long-beds?order=new&amp;x=%3Cscript%3E"');
    expect(html).not.toContain("<script");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("handles page requests only, and leaves responses unchanged while online", async () => {
    expect(await dispatchEvent("fetch", going("/groups", { mode: "cors" }))).toBeUndefined();
    expect(await dispatchEvent("fetch", going("/groups", { method: "POST" }))).toBeUndefined();
    expect(
      await dispatchEvent("fetch", {
        request: { mode: "no-cors", method: "GET", url: "https://elsewhere.test/x?offline" },
      }),
    ).toBeUndefined();
    const itself = { status: 200, type: "basic", headers: new Headers() };
    line = async () => itself;
    expect(await dispatchEvent("fetch", going("/groups"))).toBe(itself);
    // The browser's request began before the worker was active.
    const preloaded = { status: 200, type: "basic", headers: new Headers() };
    expect(
      await dispatchEvent("fetch", { ...going("/groups"), preloadResponse: Promise.resolve(preloaded) }),
    ).toBe(preloaded);
  });
});

describe("offline copy of a page", () => {
  const HTML =
    '<!doctype html>\n<html data-reader="mira" lang="en" dir="ltr"><head></head><body ' +
    'class="x"><main>Seed swap</main></body></html>';
  const keep = async (
    path: string,
    { reader = "mira", title = "Seed <swap>", at = Date.now() - 60_000, html = HTML } = {},
  ) =>
    (await caches.open(`kith-pages-${reader}`)).put(
      path,
      new Response(html, {
        headers: {
          "saved-at": String(at),
          "page-title": encodeURIComponent(title),
          "content-language": "en",
        },
      }),
    );

  test("shows its date and no forms, and runs only our own script", async () => {
    await keep("/discussions/1?post=2");
    const answer = (await dispatchEvent("fetch", going("/discussions/1?post=2")))!;
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toMatch(
      /<body class="x"><p class="systembar" role="status"[^>]*>You are offline\. This copy is from \d/,
    );
    expect(html).toContain("<main>Seed swap</main>");
    const policy = answer.headers.get("content-security-policy");
    for (const part of [
      "default-src 'none'",
      "script-src https://kith.test/offline-copy.js",
      "form-action 'none'",
    ])
      expect(policy).toContain(part);
  });

  test("has its offline notice after the skip link", async () => {
    const skip = '<a href="#main" class="skip">Skip to content</a>';
    await keep("/discussions/1", { html: HTML.replace("<main>", `<div role="status"></div>${skip}<main>`) });
    const html = await (await dispatchEvent("fetch", going("/discussions/1")))!.text();
    expect(html).toContain(`<body class="x"><div role="status"></div>${skip}<p class="systembar"`);
  });

  test("appears in the list of readable pages, latest first, with escaped title", async () => {
    await keep("/groups/long-beds", { title: "The Long Beds", at: Date.now() - 3_600_000 });
    await keep("/discussions/1");
    const html = await (await dispatchEvent("fetch", going("/discussions/2")))!.text();
    expect(html).toContain("You are offline");
    expect(
      [...html.matchAll(/<li><a href="([^"]+)" dir="auto">([^/]+)<\/a>/g)].map(([, path, title]) => [
        path,
        title,
      ]),
    ).toEqual([
      ["/discussions/1", "Seed &lt;swap&gt;"],
      ["/groups/long-beds", "The Long Beds"],
    ]);
  });

  test("expires after a fortnight", async () => {
    await keep("/discussions/1", { at: Date.now() - 15 * 24 * 3_600_000 });
    const html = await (await dispatchEvent("fetch", going("/discussions/1")))!.text();
    expect(html).not.toContain("Seed");
  });

  test("stays while the same reader is signed in, or when a proxy responds instead of us", async () => {
    await keep("/discussions/1");
    for (const headers of [{ "kith-reader": "mira" } as Record<string, string>, {}]) {
      answering(200, headers);
      await dispatchEvent("fetch", going("/groups"));
    }
    expect([...caches.all.get("kith-pages-mira")!.keys()]).toEqual([`${HOUSE}/discussions/1`]);
  });

  test.each(["guest", "tomas"])("gets deleted before another person's page is shown: %s", async (reader) => {
    await keep("/discussions/1");
    await caches.open("kith-files-mira");
    await caches.open("somebody-elses");
    answering(200, { "kith-reader": reader });
    await dispatchEvent("fetch", going("/"));
    expect([...caches.all.keys()].sort()).toEqual(
      reader === "guest" ? ["somebody-elses"] : ["kith-pages-tomas", "somebody-elses"],
    );
  });

  test.each([
    [403, "basic"],
    [404, "basic"],
    [410, "basic"],
    [0, "opaqueredirect"],
  ])("gets deleted when the page is gone or forbidden: %i %s", async (status, type) => {
    await keep("/discussions/1");
    await keep("/discussions/2");
    answering(status, status === 0 ? {} : { "kith-reader": "mira" }, type);
    await dispatchEvent("fetch", going("/discussions/1"));
    expect([...caches.all.get("kith-pages-mira")!.keys()]).toEqual([`${HOUSE}/discussions/2`]);
  });

  test("uses stored files, and requests missing files by their original address", async () => {
    await (await caches.open("kith-files-mira")).put("/assets/root-1.css", new Response("body {}"));
    const style = (await dispatchEvent("fetch", going("/assets/root-1.css?offline", { mode: "no-cors" })))!;
    expect(await style.text()).toBe("body {}");
    const requests: string[] = [];
    line = async (url) => void requests.push(String(url));
    await dispatchEvent("fetch", going("/files/pictures/1?size=2&offline", { mode: "no-cors" }));
    expect(requests).toEqual([`${HOUSE}/files/pictures/1?size=2`]);
  });
});
