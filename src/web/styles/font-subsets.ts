import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

/** Folder of the generated fonts; styles and modules import it as `~fonts`. */
export const FONT_FOLDER = resolve("node_modules/.cache/kith-fonts");

/**
 * Characters of the subsets: Latin-1 with the punctuation of texts, and the letters of other Latin
 * languages.
 */
const CHARACTERS = {
  latin: [
    [0x20, 0x7e],
    [0xa0, 0xff],
    [0x131],
    [0x152, 0x153],
    [0x2bb, 0x2bc],
    [0x2c6],
    [0x2da],
    [0x2dc],
    [0x2010, 0x2027],
    [0x2030],
    [0x2032, 0x2033],
    [0x2039, 0x203a],
    [0x2044],
    [0x20ac],
    [0x2122],
    [0x2191],
    [0x2193],
    [0x2212],
    [0x2215],
  ],
  "latin-ext": [[0x100, 0x17f], [0x218, 0x21b], [0x1e9e]],
} as const;
const FONTS = {
  inter: import.meta.resolve("@fontsource-variable/inter"),
  "source-serif-4": import.meta.resolve("@fontsource-variable/source-serif-4"),
};

/** Font weights that styles use. */
const WEIGHTS = { wght: { min: 400, max: 700 } };
/** OpenType features: those that are on by default, and `tnum`. */
const FEATURES = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "rlig", "tnum"];

/**
 * Writes font subsets with the characters and weights that most pages use, a third of the full size. For
 * other characters a browser fetches the packages' full files.
 */
export function subsetFonts(): Plugin {
  return { name: "kith:font-subsets", enforce: "pre", buildStart: writeSubsets };
}

async function writeSubsets(): Promise<void> {
  await mkdir(FONT_FOLDER, { recursive: true });
  await Promise.all(
    Object.entries(FONTS).flatMap(([font, style]) =>
      Object.entries(CHARACTERS).map(async ([subset, ranges]) => {
        const file = new URL(`files/${font}-${subset}-wght-normal.woff2`, style);
        const options = { targetFormat: "woff2", variationAxes: WEIGHTS, keepFeatures: FEATURES } as const;
        const bytes = await subsetFont(await readFile(file), listCharacters(ranges), options);
        await writeFile(resolve(FONT_FOLDER, `${font}-${subset}.woff2`), bytes);
      }),
    ),
  );
}

const listCharacters = (ranges: readonly (readonly [number, number?])[]) =>
  ranges
    .flatMap(([first, last = first]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    )
    .join("");
