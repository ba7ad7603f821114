import { describe, expect, test } from "vitest";
import { behindFrame, MIDDLE, moved, settled } from "./crop.ts";

const wide = { width: 1200, height: 800 };
const square = { width: 400, height: 400 };

describe("picture crop", () => {
  test("stays inside the picture", () => {
    expect(settled({ x: 0, y: 0, zoom: 1 }, wide, square)).toEqual({ x: 1 / 3, y: 0.5, zoom: 1 });
    expect(settled({ x: 1, y: 1, zoom: 2 }, wide, square)).toEqual({ x: 1 - 1 / 6, y: 0.75, zoom: 2 });
    expect(settled({ x: 0.5, y: 0.5, zoom: 99 }, wide, square).zoom).toBe(5);
  });

  test("fills its frame", () => {
    expect(behindFrame(MIDDLE, wide, square)).toEqual({ width: "150.000%", height: "100.000%", left: "-25.000%", top: "0.000%" });
    expect(behindFrame({ x: 0.25, y: 0.25, zoom: 2 }, square, square)).toEqual({
      width: "200.000%",
      height: "200.000%",
      left: "0.000%",
      top: "0.000%",
    });
  });

  test("moves by arrow keys, by smaller steps at a higher zoom, and zooms by plus and minus", () => {
    expect(moved(MIDDLE, "ArrowRight")).toEqual({ x: 0.52, y: 0.5, zoom: 1 });
    expect(moved({ ...MIDDLE, zoom: 2 }, "ArrowUp")).toEqual({ x: 0.5, y: 0.49, zoom: 2 });
    expect(moved(MIDDLE, "+")?.zoom).toBeCloseTo(1.1);
    expect(moved(MIDDLE, "-")?.zoom).toBeCloseTo(1 / 1.1);
    expect(moved(MIDDLE, "a")).toBeNull();
  });
});
