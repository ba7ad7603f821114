import { globSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { DESIGN_TOKENS } from "../tokens.ts";
import { isSlowNetwork } from "./build-watch.ts";
import { canReload } from "./chunk-guard.ts";
import { ErrorBatches, type LogLine } from "./error-reporting.ts";

const memory = () => {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
};

const sources = globSync("src/web/**/*.{ts,tsx}").filter((path) => !/tokens\.ts$|\.test\.ts$/.test(path));
const sheets = globSync("src/web/styles/*.css");
const textOf = (paths: string[]) => paths.map((path) => readFileSync(path, "utf8")).join("\n");
const asProperty = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

describe("design tokens", () => {
  test("have the specified values", () => {
    expect(DESIGN_TOKENS).toMatchObject({
      menuMaxHeight: 310,
      tablePageSize: 10,
      pageSize: 10,
      carouselInterval: 6000,
      systemBarHeight: 24,
      systemBarHeightInWindow: 32,
      textareaRows: 5,
      timelineThickness: 2,
      tabSliderDuration: 225,
      tooltipOffset: 10,
      speedDialOffset: 8,
      speedDialCloseDelay: 100,
      fixedTabsMaxWidth: 300,
      asyncPartDelay: 200,
      buildFirstLook: 1000,
      buildInterval: 3_600_000,
      chunkReloadPause: 10_000,
      errorBatch: 10,
      errorFlush: 1000,
      errorsKept: 1000,
    });
  });

  /**
   * Tokens without a use in scripts or style sheets: the carousel only moves by hand, the dial closes at
   * once, each list has its own page size, and the height of the system bar in a window is tested below.
   */
  const ELSEWHERE = ["carouselInterval", "speedDialCloseDelay", "pageSize", "systemBarHeightInWindow"];
  test("appear in a script or a style sheet", () => {
    const [scripts, styles] = [textOf(sources), textOf(sheets)];
    const unused = Object.keys(DESIGN_TOKENS).filter(
      (name) =>
        !ELSEWHERE.includes(name) &&
        !scripts.includes(`DESIGN_TOKENS.${name}`) &&
        !styles.includes(`var(${asProperty(name)})`),
    );
    expect(unused).toEqual([]);
  });

  test("declared in tokens.css are all used", () => {
    const styles = textOf([...sheets, ...sources]);
    const named = [
      ...readFileSync("src/web/styles/tokens.css", "utf8").matchAll(/^ {2}(--[a-z-]+): [\d.]+(?:px|ms);/gm),
    ].map(([, name]) => name!);
    const utilities = /^--(?:radius|breakpoint)-/;
    expect(named.filter((name) => !utilities.test(name) && !styles.includes(`var(${name})`))).toEqual([]);
    expect(named.length).toBeGreaterThan(7);
  });
});

describe("icons", () => {
  const pages = globSync("src/web/**/*.tsx").map((path) => ({ path, text: readFileSync(path, "utf8") }));

  test("consist of single-stroke drawings from the icon sheet, never letters", () => {
    expect(pages.length).toBeGreaterThan(300);
    const letters = pages.filter(({ text }) => /[\u00d7\u22ef\u25a0-\u25ff\u2715\u2713-\u2718]/.test(text));
    expect(letters.map(({ path }) => path)).toEqual([]);
    expect(pages.filter(({ text }) => /lucide-react|strokeWidth/.test(text))).toEqual([]);
    expect(readFileSync("vite.config.ts", "utf8")).toContain("stroke-width='1.75'");
  });
});

describe("style sheet", () => {
  test.each([
    ["menu-max-height", `${DESIGN_TOKENS.menuMaxHeight}px`],
    ["system-bar-height", `${DESIGN_TOKENS.systemBarHeight}px`],
    ["timeline-thickness", `${DESIGN_TOKENS.timelineThickness}px`],
    ["tab-slider-duration", `${DESIGN_TOKENS.tabSliderDuration}ms`],
    ["speed-dial-offset", `${DESIGN_TOKENS.speedDialOffset}px`],
    ["fixed-tabs-max-width", `${DESIGN_TOKENS.fixedTabsMaxWidth}px`],
    ["async-part-delay", `${DESIGN_TOKENS.asyncPartDelay}ms`],
  ])("has the same value as the design token for %s", (name, value) => {
    expect(readFileSync("src/web/styles/tokens.css", "utf8")).toContain(`--${name}: ${value};`);
  });

  test("has breakpoints of its own; pages use none of Tailwind's defaults", () => {
    const asked = sources.filter((path) =>
      /["\s`](?:max-)?(?:sm|md|lg|xl|2xl):[\w[-]/.test(readFileSync(path, "utf8")),
    );
    expect(asked).toEqual([]);
  });

  test("contains icon drawings only in icons.css", () => {
    const naming = globSync("src/web/styles/*.css").filter((path) =>
      readFileSync(path, "utf8").includes(": lucide("),
    );
    expect(naming).toEqual(["src/web/styles/icons.css"]);
  });

  test("has a drawing for each icon of the pages", () => {
    const sheet = readFileSync("src/web/styles/icons.css", "utf8");
    const names = sources.flatMap((path) => [
      ...readFileSync(path, "utf8").matchAll(/\bicon(?: [\w-]+)* (icon-[a-z0-9-]+)/g),
    ]);
    expect(
      names.map(([, name]) => name!).filter((name) => !new RegExp(`\\.${name}[ ,)]`).test(sheet)),
    ).toEqual([]);
    expect(names.length).toBeGreaterThan(100);
  });

  test("uses font sizes and radii by name only", () => {
    const sizes = [...textOf(sheets).matchAll(/(?:font-size|border-radius): (?!var\()([^;]+);/g)].map(
      ([, size]) => size!,
    );
    expect(
      sizes.filter((size) => !/^(?:0|[\d.]+%|[\d.]+em|min\(var\(--text-small\), [\d.]+vw\))$/.test(size)),
    ).toEqual([]);
    expect(sizes.length).toBeGreaterThan(3);
  });

  test("makes the system bar taller with a window controls overlay", () => {
    expect(readFileSync("src/web/styles/tokens.css", "utf8")).toMatch(
      new RegExp(
        `window-controls-overlay[^}]*--system-bar-height: ${DESIGN_TOKENS.systemBarHeightInWindow}px`,
      ),
    );
  });
});

describe("page whose script files no longer exist", () => {
  test("reloads at most once in ten seconds per path", () => {
    const storage = memory();
    expect(canReload("/a", 0, storage, false)).toBe(true);
    expect(canReload("/a", 9_999, storage, false)).toBe(false);
    expect(canReload("/b", 9_999, storage, false)).toBe(true);
    expect(canReload("/a", 10_000, storage, false)).toBe(true);
  });
  test("does not reload during its first load", () => {
    expect(canReload("/a", 0, memory(), true)).toBe(false);
  });
});

describe("check for a newer build", () => {
  test.each([
    [undefined, false],
    [{ effectiveType: "4g" }, false],
    [{ effectiveType: "2g" }, true],
    [{ effectiveType: "slow-2g" }, true],
    [{ effectiveType: "4g", saveData: true }, true],
  ])("waits for the hourly check on a slow connection; %j is slow: %s", (line, slow) => {
    expect(isSlowNetwork(line)).toBe(slow);
  });
});

describe("browser error reports", () => {
  const line = (n: number): LogLine => ({
    logger: "browser",
    "log-level": "ERROR",
    message: String(n),
    timestamp: n,
  });

  test("leave ten at a time", async () => {
    const sent: number[] = [];
    const batches = new ErrorBatches(async (lines) => (sent.push(lines.length), true));
    for (let n = 0; n < 10; n++) batches.add(line(n));
    await batches.flush();
    expect(sent).toEqual([10]);
  });

  test("leave after a second if there are fewer than ten", async () => {
    vi.useFakeTimers();
    const sent: number[] = [];
    const batches = new ErrorBatches(async (lines) => (sent.push(lines.length), true));
    batches.add(line(1));
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([1]);
    vi.useRealTimers();
  });

  test("wait in order while they cannot be sent, at most a thousand", async () => {
    let open = false;
    const sent: string[] = [];
    const batches = new ErrorBatches(async (lines) => {
      if (open) sent.push(...lines.map((it) => it.message));
      return open;
    });
    vi.useFakeTimers();
    for (let n = 0; n < 1_200; n++) batches.add(line(n));
    await batches.flush();
    vi.useRealTimers();
    expect(batches.waiting).toBe(1_000);
    open = true;
    await batches.flush();
    expect(sent).toEqual(Array.from({ length: 1_000 }, (_, n) => String(n + 200)));
  });
});
