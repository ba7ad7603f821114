/**
 * Colours for links, buttons and marks: the accent, the text colour on it, and a tint faint enough for a
 * background.
 */
export type AccentShades = { accent: string; onAccent: string; soft: string };
export type AccentPalette = { light: AccentShades; dark: AccentShades };

/** Lightest and darkest background of each mode (tokens.css), on which an accent must be readable. */
const BACKGROUNDS = { light: ["#ffffff", "#f2eee6"], dark: ["#1d2025", "#101215"] };
/** The contrast that WCAG 2.2 AA requires for text, plus a margin for rounding. */
const MIN_CONTRAST = 4.55;
/** A colour that must darken by more than this to be readable would become a different colour. */
const MAX_DARKENING = 0.3;

/** OKLCH: lightness from 0 to 1, chroma, and hue as a unit vector. */
type OklchColour = { l: number; c: number; a: number; b: number };

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/**
 * Whether the accent is readable. True also for text that is not a colour, which has an error message of its
 * own.
 */
export const isReadableAccent = (text: string): boolean => !isColour(text) || createAccent(text) !== null;

/**
 * Palette of an accent for light and dark mode, adjusted in lightness only as far as readability on every
 * background requires. Null when the colour would change too much.
 */
export function createAccent(colour: string): AccentPalette | null {
  const oklch = toOklch(colour);
  const softByDay = { ...oklch, l: 0.94, c: Math.min(oklch.c, 0.03) };
  const softByNight = { ...oklch, l: 0.3, c: Math.min(oklch.c, 0.045) };
  const day = findReadable(oklch, -1, [...BACKGROUNDS.light, toHex(softByDay)]);
  const night = findReadable({ ...oklch, l: Math.max(oklch.l, 0.72) }, 1, [
    ...BACKGROUNDS.dark,
    toHex(softByNight),
  ]);
  if (!day || !night || oklch.l - day.l > MAX_DARKENING) return null;
  return {
    light: { accent: toHex(day), onAccent: "#ffffff", soft: toHex(softByDay) },
    dark: {
      accent: toHex(night),
      onAccent: toHex({ ...oklch, l: 0.2, c: Math.min(oklch.c, 0.03) }),
      soft: toHex(softByNight),
    },
  };
}

/**
 * Finds the nearest lightness that is readable on all backgrounds. Reduces the chroma of colours outside
 * sRGB.
 */
function findReadable(from: OklchColour, step: 1 | -1, grounds: string[]): OklchColour | null {
  for (let l = from.l; l >= 0 && l <= 1; l += step * 0.005) {
    const here = toHex({ ...from, l });
    if (grounds.every((background) => contrastRatio(here, background) >= MIN_CONTRAST)) return { ...from, l };
  }
  return null;
}

/** WCAG contrast ratio of two colours, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  const [high, low] = [Math.max(a, b), Math.min(a, b)];
  return (high + 0.05) / (low + 0.05);
}

const luminance = (colour: string) => {
  const [r, g, b] = toLinearRgb(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

function toLinearRgb(colour: string): [number, number, number] {
  const part = (at: number) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** Converts a colour to OKLCH, with the published matrices of OKLab (bottosson.github.io/posts/oklab). */
function toOklch(colour: string): OklchColour {
  const [r, g, b] = toLinearRgb(colour);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const c = Math.hypot(x, y);
  // The computed hue of a grey is meaningless.
  return c < 0.0005 ? { l: lightness, c: 0, a: 1, b: 0 } : { l: lightness, c, a: x / c, b: y / c };
}

function oklchToLinear({ l: lightness, c, a, b }: OklchColour): number[] {
  const [x, y] = [c * a, c * b];
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Reduces chroma until the colour fits into sRGB. */
function toHex(colour: OklchColour): string {
  let shown = oklchToLinear(colour);
  for (let c = colour.c; c > 0 && shown.some((it) => it < -0.0005 || it > 1.0005); c -= 0.004)
    shown = oklchToLinear({ ...colour, c: Math.max(0, c - 0.004) });
  const byte = (it: number) => {
    const share = Math.min(1, Math.max(0, it));
    return Math.round(255 * (share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055));
  };
  return `#${shown.map((it) => byte(it).toString(16).padStart(2, "0")).join("")}`;
}
