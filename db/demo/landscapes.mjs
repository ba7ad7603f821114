// Landscapes of profile headers. drawHeader(name) → SVG string, 1500 × 500.
import { light, mix } from "./pictures/palette.mjs";
import { dot, f1, line, path, random } from "./pictures/shapes.mjs";

const LAND = {
  meadow: {
    sky: ["#f7ecc8", "#dfe8c6"],
    sun: "#f6d27a",
    hills: ["#c6d6a0", "#a3be80", "#7fa164", "#5f8450"],
    sunAt: [1120, 150, 70],
  },
  dusk: {
    sky: ["#5b5486", "#eda88a"],
    sun: "#fbd9a5",
    hills: ["#b77c86", "#86607f", "#5d4b70", "#3d3759"],
    sunAt: [430, 290, 84],
    stars: true,
  },
  clay: {
    sky: ["#f6dfc9", "#f0c6a4"],
    sun: "#f4efe0",
    hills: ["#e0a27c", "#cb7f58", "#ad6142", "#8a4a35"],
    sunAt: [1050, 170, 78],
  },
  river: {
    sky: ["#e3eeea", "#c3dbdc"],
    sun: "#f7ecc9",
    hills: ["#a9cacb", "#7fb0b5", "#548f99", "#386f7d"],
    sunAt: [330, 140, 62],
    water: true,
  },
  plum: {
    sky: ["#f1dde2", "#d9b4c4"],
    sun: "#f9eadb",
    hills: ["#c193ac", "#a06f8f", "#7b4f70", "#5a3a56"],
    sunAt: [1180, 180, 74],
  },
  straw: {
    sky: ["#fbf0d0", "#f4dc9c"],
    sun: "#fdf8e6",
    hills: ["#ecc873", "#ddb050", "#c49340", "#9d7434"],
    sunAt: [620, 150, 80],
    rows: true,
  },
  moss: {
    sky: ["#e9ecd4", "#cfd8b4"],
    sun: "#f6efcf",
    hills: ["#adbb8a", "#8a9c68", "#69804f", "#4a623f"],
    sunAt: [240, 160, 66],
  },
  slate: {
    sky: ["#e4e7ea", "#c2cbd3"],
    sun: "#f5efe3",
    hills: ["#a7b4bf", "#8594a3", "#647585", "#475766"],
    sunAt: [960, 150, 60],
    stars: false,
  },
};

export function drawHeader(name) {
  const c = LAND[name] ?? LAND.meadow,
    r = random("land " + name),
    [sx, sy, sr] = c.sunAt;
  let s =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1500 500" width="1500" height="500" ` +
    `preserveAspectRatio="xMidYMid slice" role="img"><defs><linearGradient id="sky-${name}" x1="0" y1="0" ` +
    `x2="0" y2="1"><stop offset="0" stop-color="${c.sky[0]}"/><stop offset="1" ` +
    `stop-color="${c.sky[1]}"/></linearGradient></defs><rect width="1500" height="500" fill="url(#sky-${name})"/>`;
  if (c.stars)
    for (let i = 0; i < 46; i++)
      s += dot(r() * 1500, r() * 190, 0.8 + r() * 1.6, "#fff4dc", `opacity="${f1(0.3 + r() * 0.6)}"`);
  s +=
    dot(sx, sy, sr * 1.7, c.sun, 'opacity=".22"') +
    dot(sx, sy, sr * 1.3, c.sun, 'opacity=".3"') +
    dot(sx, sy, sr, c.sun);
  const cloud = (x, y, k) =>
    `<g fill="#fffaf0" opacity=".42"><rect x="${f1(x)}" y="${f1(y)}" width="${f1(220 * k)}" ` +
    `height="${f1(22 * k)}" rx="${f1(11 * k)}"/><rect x="${f1(x + 60 * k)}" y="${f1(y - 18 * k)}" ` +
    `width="${f1(130 * k)}" height="${f1(22 * k)}" rx="${f1(11 * k)}"/></g>`;
  for (let i = 0; i < 3; i++) s += cloud(80 + i * 480 + r() * 160, 70 + r() * 110, 0.6 + r() * 0.7);
  const tops = [];
  c.hills.forEach((fill, i) => {
    const base = 270 + i * 58,
      amp = 62 - i * 9,
      p = r() * 7,
      q = r() * 7,
      y = (x) => base + Math.sin(x / (250 - i * 22) + p) * amp * 0.6 + Math.sin(x / 130 + q) * amp * 0.22;
    let d = `M0 500V${f1(y(0))}`;
    for (let x = 50; x <= 1500; x += 50)
      d += `Q${x - 25} ${f1(y(x - 25) * 2 - (y(x - 50) + y(x)) / 2)} ${x} ${f1(y(x))}`;
    s += path(d + "V500z", fill);
    tops.push(y);
    if (i === 1)
      for (let k = 0; k < 9; k++) {
        // a line of trees
        const x = 120 + ((sx + 500) % 900) + k * 34 + r() * 14,
          h = 22 + r() * 22,
          yy = y(x) + 4;
        s +=
          line(`M${f1(x)} ${f1(yy)}v-${f1(h * 0.5)}`, c.hills[3], 3) +
          `<ellipse cx="${f1(x)}" cy="${f1(yy - h)}" rx="${f1(h * 0.38)}" ry="${f1(h * 0.66)}" fill="${c.hills[2]}"/>`;
      }
    if (i === 2 && !c.water)
      for (let k = 0; k < 3; k++) {
        // a few houses
        const x = 240 + ((sx * 7) % 800) + k * 66,
          yy = y(x) + 14,
          b = 34 + k * 5;
        s +=
          path(`M${f1(x)} ${f1(yy)}v-${b}h44v${b}z`, light(c.sky[0], 0.3)) +
          path(`M${f1(x - 6)} ${f1(yy - b)}l28-24 28 24z`, mix(c.hills[3], "#b4553a", 0.45)) +
          `<rect x="${f1(x + 16)}" y="${f1(yy - b + 10)}" width="11" height="13" rx="1.5" ` +
          `fill="${mix(c.hills[3], "#f6d27a", 0.5)}"/>`;
      }
  });
  if (c.water)
    s +=
      path(
        "M560 500C640 440 980 430 860 392 760 362 660 372 700 344c26 12 150 8 262 42 150 48-40 62-30 114z",
        light(c.sky[1], 0.25),
        'opacity=".85"',
      ) + line("M760 470h70M800 446h60M850 420h46", "#ffffff", 4, 'opacity=".6"');
  if (c.rows)
    for (let i = 0; i < 15; i++)
      s += line(
        `M${60 + i * 100} 500Q${f1(400 + i * 50)} 440 ${f1(560 + i * 26)} ${f1(tops[3](560 + i * 26) + 3)}`,
        light(c.hills[3], 0.22),
        4,
        'opacity=".4"',
      );
  for (let i = 0; i < 26; i++) {
    const x = r() * 1500,
      y = tops[3](x) + 14 + r() * 40,
      h = 12 + r() * 16;
    s += line(
      `M${f1(x)} ${f1(y)}q-2-${f1(h * 0.6)} -6-${f1(h)}M${f1(x)} ${f1(y)}q2-${f1(h * 0.6)} 5-${f1(h * 0.9)}`,
      light(c.hills[3], 0.18),
      2.4,
      'opacity=".6"',
    );
  }
  return s + "</svg>";
}
