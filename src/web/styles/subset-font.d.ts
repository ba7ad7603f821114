/** Types of the font subsetter, as far as we use it; it brings none. */
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
