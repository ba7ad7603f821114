import { get } from "node:http";
import { chromium, type Page } from "@playwright/test";
import { browserPath } from "../test/browser/browser.ts";

/** `line` is the client of the live line, which a page fetches once it is awake. */
export type FirstLoad = { name: string; script: number; line: number; html: number; shift: number };

/** Long enough for what a page fetches once it stands: the line, and what it does when nothing else is to do. */
const SETTLED = 2_000;

/**
 * What a browser that knows nothing yet fetches for each of the pages: bytes of JavaScript and of HTML as they travel with
 * gzip, and how far what stood there was shifted (CLS). With `cookie` for whoever is signed in.
 */
export async function measureFirstLoads(origin: string, pages: Record<string, string>, cookie?: string): Promise<FirstLoad[]> {
  const { executablePath, env } = await browserPath();
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

async function firstLoad(page: Page, origin: string, path: string, cookie?: string): Promise<Omit<FirstLoad, "name">> {
  const scripts = new Set<string>();
  page.on("request", (request) => request.resourceType() === "script" && scripts.add(request.url()));
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const it of list.getEntries()) shifts.sum += (it as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLED);
  const shift = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
  const sizes = await Promise.all([...scripts].map(async (url) => ({ isLine: url.includes("/live-line-"), bytes: await travelling(url) })));
  const sum = (isLine: boolean) => sizes.reduce((bytes, it) => bytes + (it.isLine === isLine ? it.bytes : 0), 0);
  return { script: sum(false), line: sum(true), html: await travelling(origin + path, cookie), shift };
}

const travelling = (url: string, cookie = "") =>
  new Promise<number>((done, failed) => {
    const request = get(url, { headers: { "accept-encoding": "gzip", cookie } }, (answer) => {
      if (answer.statusCode !== 200) return failed(new Error(`${url} answered ${answer.statusCode}.`));
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => done(bytes));
    });
    request.once("error", failed);
  });
