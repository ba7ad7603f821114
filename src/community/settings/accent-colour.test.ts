import { describe, expect, test } from "vitest";
import { createAccent, contrastRatio } from "./accent-colour.ts";

/** Backgrounds and text colours of tokens.css. */
const LIGHT = { grounds: ["#faf8f4", "#ffffff", "#f2eee6"], ink: "#1e2227" };
const DARK = { grounds: ["#15171b", "#1d2025", "#101215"], ink: "#ece8e1" };
const COLOURS = [
  "#0b6b5d",
  "#c2410c",
  "#d6336c",
  "#1d4ed8",
  "#0000ff",
  "#ff0000",
  "#808080",
  "#000000",
  "#7c3aed",
  "#e8590c",
  "#2f9e44",
];

test("contrastRatio follows WCAG", () => {
  expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastRatio("#777777", "#ffffff")).toBeCloseTo(4.478, 2);
});

describe("createAccent", () => {
  test.each(COLOURS)("makes %s readable on every background in light and dark mode", (colour) => {
    const { light, dark } = createAccent(colour)!;
    for (const [shades, { grounds, ink }] of [
      [light, LIGHT],
      [dark, DARK],
    ] as const) {
      for (const ground of [...grounds, shades.soft])
        expect(contrastRatio(shades.accent, ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(shades.onAccent, shades.accent)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(ink, shades.soft)).toBeGreaterThanOrEqual(7);
    }
  });

  test("keeps the chosen colour in light mode where it is readable", () => {
    expect(createAccent("#0b6b5d")!.light.accent).toBe("#0b6b5d");
    expect(createAccent("#1D4ED8")!.light.accent).toBe("#1d4ed8");
  });

  test("darkens the colour slightly where needed", () => {
    const { accent, soft } = createAccent("#e8590c")!.light;
    expect(accent).not.toBe("#e8590c");
    expect(Math.min(...[...LIGHT.grounds, soft].map((ground) => contrastRatio(accent, ground)))).toBeLessThan(
      4.7,
    );
  });

  test.each(["#ffff00", "#ffffff", "#ffe4e1", "#90ee90", "#ffd500"])(
    "rejects %s, which would become a different colour",
    (colour) => expect(createAccent(colour)).toBeNull(),
  );
});
