import { describe, expect, test } from "vitest";
import { framePosition, CENTERED_CROP, cropForKey, clampCrop } from "./crop.ts";

const wide = { width: 1200, height: 800 };
const square = { width: 400, height: 400 };

describe("picture crop", () => {
  test("stays inside the picture", () => {
    expect(clampCrop({ x: 0, y: 0, zoom: 1 }, wide, square)).toEqual({ x: 1 / 3, y: 0.5, zoom: 1 });
    expect(clampCrop({ x: 1, y: 1, zoom: 2 }, wide, square)).toEqual({ x: 1 - 1 / 6, y: 0.75, zoom: 2 });
    expect(clampCrop({ x: 0.5, y: 0.5, zoom: 99 }, wide, square).zoom).toBe(5);
  });

  test("fills its frame", () => {
    expect(framePosition(CENTERED_CROP, wide, square)).toEqual({
      width: "150.000%",
      height: "100.000%",
      left: "-25.000%",
      top: "0.000%",
    });
    expect(framePosition({ x: 0.25, y: 0.25, zoom: 2 }, square, square)).toEqual({
      width: "200.000%",
      height: "200.000%",
      left: "0.000%",
      top: "0.000%",
    });
  });

  test("moves by arrow keys, by smaller steps at a higher zoom, and zooms by plus and minus", () => {
    expect(cropForKey(CENTERED_CROP, "ArrowRight")).toEqual({ x: 0.52, y: 0.5, zoom: 1 });
    expect(cropForKey({ ...CENTERED_CROP, zoom: 2 }, "ArrowUp")).toEqual({ x: 0.5, y: 0.49, zoom: 2 });
    expect(cropForKey(CENTERED_CROP, "+")?.zoom).toBeCloseTo(1.1);
    expect(cropForKey(CENTERED_CROP, "-")?.zoom).toBeCloseTo(1 / 1.1);
    expect(cropForKey(CENTERED_CROP, "a")).toBeNull();
  });
});
