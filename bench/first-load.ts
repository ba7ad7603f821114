import { get } from "node:http";
import { chromium, type Page } from "@playwright/test";
import { findBrowser } from "../test/support/browser/browser-path.ts";

/** `later` is the JavaScript that a page loads after hydration: the live connection and offline copies. */
export type FirstLoad = { name: string; script: number; later: number; html: number; shift: number };

/** Milliseconds to wait for everything a page loads after rendering: the real-time client, and idle work. */
const SETTLE_TIME = 2_000;

/**
 * Loads each page with an empty browser cache: gzipped bytes of JavaScript and HTML, and layout shift (CLS).
 * Pass `cookie` to be signed in.
 */
export async function measureFirstLoads(
  origin: string,
  pages: Record<string, string>,
  cookie?: string,
): Promise<FirstLoad[]> {
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    env,
    args: ["--no-sandbox", "--headless=shell", "--no-zygote", "--disable-gpu"],
  });
  const loads: FirstLoad[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const context = await browser.newContext({ baseURL: origin, extraHTTPHeaders: cookie ? { cookie } : {} });
    loads.push({ name, ...(await firstLoad(await context.newPage(), origin, path, cookie)) });
    await context.close();
  }
  await browser.close();
  return loads;
}

async function firstLoad(
  page: Page,
  origin: string,
  path: string,
  cookie?: string,
): Promise<Omit<FirstLoad, "name">> {
  const scripts = new Set<string>();
  page.on("request", (request) => request.resourceType() === "script" && scripts.add(request.url()));
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const it of list.getEntries()) if ("value" in it) shifts.sum += Number(it.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLE_TIME);
  const shift = await page.evaluate<number>(() => Reflect.get(window, "shifts").sum);
  const sizes = await Promise.all(
    [...scripts].map(async (url) => ({
      isLive: url.includes("/after-hydration-"),
      bytes: await transferSize(url),
    })),
  );
  const sum = (isLive: boolean) =>
    sizes.reduce((bytes, it) => bytes + (it.isLive === isLive ? it.bytes : 0), 0);
  return { script: sum(false), later: sum(true), html: await transferSize(origin + path, cookie), shift };
}

const transferSize = (url: string, cookie = "") =>
  new Promise<number>((done, failed) => {
    const request = get(url, { headers: { "accept-encoding": "gzip", cookie } }, (answer) => {
      if (answer.statusCode !== 200) return failed(new Error(`${url} answered ${answer.statusCode}.`));
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => done(bytes));
    });
    request.once("error", failed);
  });
