import type { CSSProperties } from "react";
import { accentOf, defaultSettings } from "#community/settings";

/**
 * How the community's own accent is written on a page: by day and by night, as its reader has it. Nothing where it is the house's own, whose
 * shades stand in tokens.css.
 */
export function lookOf(accent: string): { look?: CSSProperties } {
  if (accent === defaultSettings.accent) return {};
  latest = latest?.accent === accent ? latest : { accent, look: styleOf(accent) };
  return latest.look;
}

/** The last one, since each page asks for it. */
let latest: { accent: string; look: { look?: CSSProperties } } | undefined;

function styleOf(accent: string): { look?: CSSProperties } {
  const shades = accentOf(accent);
  if (!shades) return {};
  const { light, dark } = shades;
  const both = (name: keyof typeof light) => `light-dark(${light[name]},${dark[name]})`;
  return { look: { "--accent": both("accent"), "--on-accent": both("onAccent"), "--accent-soft": both("soft") } as CSSProperties };
}
