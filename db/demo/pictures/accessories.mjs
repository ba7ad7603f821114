import { hairInFront } from "./hair.mjs";
import { CLOTH, dark, light } from "./palette.mjs";
import { dot, f1, line, path, random } from "./shapes.mjs";

// Hair in front, or what covers it.
export function drawHeadwear({ seed, has, skin, hair, shirt, w, chin, L, covered, style, scarf, open }) {
  let s = "";
  if (covered) {
    const e = w - 4;
    s +=
      `<path fill-rule="evenodd" fill="${scarf}" d="M76 118C66 56 98 38 128 38s62 18 52 80c0 26-2 44-14 ` +
      `58-12 14-64 14-76 0-12-14-14-32-14-58zM${f1(128 - e)} 110c0-30 ${f1(e * 0.5)}-40 ${f1(e)}-40s${f1(e)} ` +
      `10 ${f1(e)} 40c0 30-${f1(e * 0.45)} ${f1(chin - 116)}-${f1(e)} ` +
      `${f1(chin - 116)}s-${f1(e)}-${f1(chin - 146)}-${f1(e)}-${f1(chin - 116)}z"/>`;
    s += line(`M84 92c8-26 26-38 46-38`, light(scarf, 0.28), 3, 'opacity=".6"');
    s +=
      "</g>" +
      path("M84 160c16 22 72 22 88 0 20 18 34 30 38 52-40 26-124 26-164 0 4-22 18-34 38-52z", scarf) +
      line("M92 184c24 18 56 16 84-6M74 200c34 22 84 20 116-2", dark(scarf, 0.2), 2.6, 'opacity=".55"') +
      open;
  } else if (has("hat")) {
    const cap = CLOTH.slate === shirt ? "#7a6a54" : "#5d6b58";
    s += hairInFront("bald", hair, w, random(seed + "f"));
    s +=
      path(
        `M${f1(L - 7)} 88C${f1(L - 8)} 46 100 34 130 34s${f1(w + 6)} 18 ${f1(w + 5)} ` +
          `52c-26-8-64-8-${f1(2 * w + 10)} 2z`,
        cap,
      ) +
      path(
        `M${f1(L - 9)} 90c20-14 72-16 ${f1(2 * w + 16)}-4 6 4 6 10-2 10-30-6-56-6-${f1(2 * w + 6)} 2-8 2-12-4-8-8z`,
        dark(cap, 0.2),
      ) +
      line("M104 52c8-6 16-8 26-8", light(cap, 0.25), 3, 'opacity=".6"');
  } else
    s +=
      hairInFront(style, hair, w, random(seed + "f")) +
      (style === "bald" ? line("M112 68c6-3 14-4 20-3", light(skin, 0.4), 3.4, 'opacity=".7"') : "");
  return s;
}

// Glasses and earrings.
export function drawGlassesAndEarrings({ look, r, has, gap, eye, L, R, covered }) {
  let s = "";
  if (has("glasses")) {
    const g = look.hair === "white" || look.hair === "grey" ? "#7d4a3a" : "#3b302d",
      rx = f1(gap - 3.4),
      round = r() > 0.4;
    for (const d of [-1, 1])
      s += round
        ? dot(
            128 + d * gap,
            eye + 1,
            Math.min(13.6, gap - 3),
            "#fff",
            `fill-opacity=".16" stroke="${g}" stroke-width="2.8"`,
          )
        : `<rect x="${f1(128 + d * gap - rx)}" y="${f1(eye - 9)}" width="${f1(rx * 2)}" height="20" ` +
          `rx="6.5" fill="#fff" fill-opacity=".16" stroke="${g}" stroke-width="2.8"/>`;
    s += line(
      `M${f1(128 - gap + rx)} ${f1(eye)}c2-3 ${f1(2 * (gap - rx) - 2)}-3 ${f1(2 * (gap - rx))} 0`,
      g,
      2.6,
    );
    if (!covered)
      s += line(
        `M${f1(128 - gap - rx)} ${f1(eye - 1)}L${f1(L + 1)} ${f1(eye - 4)}M${f1(128 + gap + rx)} ` +
          `${f1(eye - 1)}L${f1(R - 1)} ${f1(eye - 4)}`,
        g,
        2.6,
      );
  }
  if (has("earrings") && !covered) {
    const gold = r() > 0.5 ? "#e3b23f" : "#d9644a";
    s +=
      r() > 0.5
        ? dot(L - 1, 132, 4.4, gold) + dot(R + 1, 132, 4.4, gold)
        : `<circle cx="${f1(L - 1)}" cy="134" r="6.5" fill="none" stroke="${gold}" ` +
          `stroke-width="2.6"/><circle cx="${f1(R + 1)}" cy="134" r="6.5" fill="none" stroke="${gold}" ` +
          `stroke-width="2.6"/>`;
  }
  return s;
}
