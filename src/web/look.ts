import type { CSSProperties } from "react";
import { type Accent, accentOf, defaultSettings, type SiteSettings } from "#community/settings";
import { urls } from "./urls.ts";

type Own = Pick<SiteSettings, "accent" | "logo">;
type Look = { look?: CSSProperties; icon?: string };

/**
 * The community's own accent colour (light and dark) and logo as CSS properties. Nothing where they are the
 * defaults, which are in tokens.css.
 */
export function lookOf({ accent, logo }: Own): Look {
  if (latest?.accent !== accent || latest.logo !== logo) latest = { accent, logo, made: make({ accent, logo }) };
  return latest.made;
}

/** The last result, since every page needs it. */
let latest: (Own & { made: Look }) | undefined;

function make({ accent, logo }: Own): Look {
  const shades = accent === defaultSettings.accent ? null : accentOf(accent);
  const look = {
    ...(shades && { "--accent": both(shades, "accent"), "--on-accent": both(shades, "onAccent"), "--accent-soft": both(shades, "soft") }),
    ...(logo && { "--logo": `url(${urls.logo(logo)})`, "--logo-display": "inline-block" }),
  };
  return { ...(Object.keys(look).length > 0 && { look: look as CSSProperties }), ...(logo && { icon: urls.logo(logo, "192.png") }) };
}

/** The same notation as in tokens.css. */
const both = ({ light, dark }: Accent, name: keyof Accent["light"]) => `var(--light,${light[name]}) var(--dark,${dark[name]})`;
