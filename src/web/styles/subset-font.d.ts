/** Types of the font subsetter, limited to what is used here; the package has no types. */
declare module "subset-font" {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: "woff2";
      variationAxes: Record<string, { min: number; max: number }>;
      /** OpenType features; all if missing. */
      keepFeatures?: readonly string[];
    },
  ): Promise<Buffer>;
}
