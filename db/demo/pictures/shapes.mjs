// Shapes as SVG elements, and the random numbers that vary them: the same for the same seed.

const hash = (s) => {
  let h = 2166136261;
  for (const c of String(s)) {
    h ^= c.codePointAt(0);
    h = Math.imul(h, 16777619);
  }
  return h >>> 0;
};
export const random = (seed) => {
  let a = hash(seed);
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};
export const f1 = (x) => Math.round(x * 10) / 10;
export const path = (d, fill, more = "") => `<path d="${d}" fill="${fill}"${more ? " " + more : ""}/>`;
export const line = (d, stroke, w, more = "") =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${w}" stroke-linecap="round" ` +
  `stroke-linejoin="round"${more ? " " + more : ""}/>`;
export const dot = (x, y, r, fill, more = "") =>
  `<circle cx="${f1(x)}" cy="${f1(y)}" r="${f1(r)}" fill="${fill}"${more ? " " + more : ""}/>`;
