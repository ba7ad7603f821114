import type { CSSProperties } from "react";
import { type AccentPalette, createAccent, defaultSettings, type SiteSettings } from "#community/settings";
import { urls } from "./urls.ts";

type BrandingSettings = Pick<SiteSettings, "accent" | "logo">;
type Branding = { look?: CSSProperties; icon?: string; touchIcon?: string };

/**
 * The community's accent color (light and dark) and logo as CSS properties. Empty for the defaults, which
 * are in tokens.css.
 */
export function getBranding({ accent, logo }: BrandingSettings): Branding {
  if (latestBranding?.accent !== accent || latestBranding.logo !== logo)
    latestBranding = { accent, logo, made: createBranding({ accent, logo }) };
  return latestBranding.made;
}

/** The last result is stored, since every page needs it. */
let latestBranding: (BrandingSettings & { made: Branding }) | undefined;

function createBranding({ accent, logo }: BrandingSettings): Branding {
  const shades = accent === defaultSettings.accent ? null : createAccent(accent);
  const look = {
    ...(shades && {
      "--accent": lightAndDark(shades, "accent"),
      "--on-accent": lightAndDark(shades, "onAccent"),
      "--accent-soft": lightAndDark(shades, "soft"),
    }),
    ...(logo && { "--logo": `url(${urls.logo(logo)})`, "--logo-display": "inline-block" }),
  };
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- React's type has no custom properties
    ...(Object.keys(look).length > 0 && { look: look as CSSProperties }),
    ...(logo && { icon: urls.logo(logo, "192.png"), touchIcon: urls.logo(logo, "touch.png") }),
  };
}

/** Uses the same notation as tokens.css. */
const lightAndDark = ({ light, dark }: AccentPalette, name: keyof AccentPalette["light"]) =>
  `var(--light,${light[name]}) var(--dark,${dark[name]})`;
