// Flat portraits and landscapes for the demo community, drawn from a few words. Plain JS, no dependencies.
// drawAvatar(look, seed) → SVG string, 256 × 256; drawHeader(name) → SVG string, 1500 × 500.

const SKIN = {
  porcelain: "#f5d7c0",
  sand: "#ebc19c",
  honey: "#d8a075",
  amber: "#bb7f52",
  chestnut: "#94603f",
  umber: "#6d432d",
};
const HAIR = {
  black: "#2b2523",
  darkbrown: "#4a3325",
  brown: "#73502f",
  auburn: "#8f4728",
  copper: "#c56a34",
  blond: "#d8ad62",
  grey: "#a39c94",
  white: "#ece6db",
  ink: "#34406b",
};
const CLOTH = {
  moss: "#74855a",
  clay: "#bf6b49",
  river: "#43818f",
  plum: "#7d4d6b",
  straw: "#dfb453",
  slate: "#5a6a78",
  rose: "#d18d87",
  ink: "#33415c",
};
const BACK = [
  ["#f4e4c4", "#ead2a3"],
  ["#dde7d3", "#c7d7b8"],
  ["#f3d9c9", "#e9c2ac"],
  ["#d7e4e6", "#bcd3d7"],
  ["#eadbe3", "#d9c1cf"],
  ["#efe7d6", "#dfd2b6"],
  ["#e2e5c9", "#cfd4aa"],
  ["#dfdfea", "#c7c8dc"],
];

const hash = (s) => {
  let h = 2166136261;
  for (const c of String(s)) {
    h ^= c.codePointAt(0);
    h = Math.imul(h, 16777619);
  }
  return h >>> 0;
};
const random = (seed) => {
  let a = hash(seed);
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};
const mix = (a, b, k) => {
  const n = (s, i) => parseInt(s.slice(i, i + 2), 16);
  return (
    "#" +
    [1, 3, 5]
      .map((i) =>
        Math.round(n(a, i) * (1 - k) + n(b, i) * k)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")
  );
};
const dark = (c, k = 0.18) => mix(c, "#3a1d16", k);
const light = (c, k = 0.2) => mix(c, "#fff6e6", k);
const f1 = (x) => Math.round(x * 10) / 10;
const path = (d, fill, more = "") => `<path d="${d}" fill="${fill}"${more ? " " + more : ""}/>`;
const line = (d, stroke, w, more = "") =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${w}" stroke-linecap="round" stroke-linejoin="round"${more ? " " + more : ""}/>`;
const dot = (x, y, r, fill, more = "") =>
  `<circle cx="${f1(x)}" cy="${f1(y)}" r="${f1(r)}" fill="${fill}"${more ? " " + more : ""}/>`;

// The part of every hair style that lies behind the head.
function hairBehind(style, hair, r) {
  const shade = dark(hair, style === "curly" && hair === HAIR.white ? 0.1 : 0.22);
  switch (style) {
    case "long":
      return path(
        "M78 110C70 58 100 40 128 40s58 18 50 70c0 34 10 70 12 100-20 10-104 10-124 0 2-30 12-66 12-100z",
        shade,
      );
    case "bob":
      return path(
        "M77 108C68 56 100 39 128 39s60 17 51 69c2 22 6 38 2 54-14 10-92 10-106 0-4-16 0-32 2-54z",
        shade,
      );
    case "wavy":
      return path(
        "M78 106C68 56 100 38 128 38s60 18 50 68c10 12 2 22 8 34 6 14-2 24 2 38-20 14-34 6-60 6s-40 8-60-6c4-14-4-24 2-38 6-12-2-22 8-34z",
        shade,
      );
    case "afro":
      return dot(128, 88, 66, shade) + dot(80, 104, 26, shade) + dot(176, 104, 26, shade);
    case "curly": {
      let s = "";
      for (let i = 0; i < 15; i++) {
        const t = Math.PI * (0.86 + (1.28 * i) / 14);
        s += dot(128 + Math.cos(t) * 54, 100 + Math.sin(t) * 54, 16 + r() * 5, shade);
      }
      return s;
    }
    case "locs": {
      let s = "";
      s += path("M80 104C72 56 100 40 128 40s56 16 48 64c2 26 4 44 2 66H78c-2-22 0-40 2-66z", shade);
      for (let i = 0; i < 10; i++) {
        const x = 81 + f1(i * 10.4);
        s += line(
          `M${f1(x)} 78C${f1(x - 4 + r() * 3)} 116 ${f1(x + 4 - r() * 3)} 146 ${f1(x + (x < 128 ? -5 : 5))} ${f1(178 + r() * 16)}`,
          i % 2 ? shade : hair,
          10.5,
        );
      }
      return s;
    }
    case "bun":
      return dot(128, 42, 25, shade) + line("M114 28c6-9 20-11 28-4", light(hair, 0.18), 3);
    case "fringe":
      return path(
        "M78 106C70 58 100 40 128 40s58 18 50 66c2 30 4 50 0 78-16 8-30 4-50 4s-34 4-50-4c-4-28-2-48 0-78z",
        shade,
      );
    default:
      return "";
  }
}

// The part in front of the forehead.
function hairInFront(style, hair, w, r) {
  const L = 128 - w,
    R = 128 + w,
    shade = dark(hair, 0.16),
    glow = light(hair, 0.18);
  const cap = (hairline, top = 43) =>
    path(`M${L - 3} 112C${L - 9} 62 98 ${top} 128 ${top}S${R + 9} 62 ${R + 3} 112${hairline}z`, hair);
  const middle = cap(
    `C${R - 1} 94 ${R - 16} 86 146 78 138 74 132 70 128 64c-4 6-10 10-18 14C${L + 16} 86 ${L + 1} 94 ${L - 3} 112`,
  );
  const sheen = line("M100 60c8-6 16-8 24-8", glow, 3.4, 'opacity=".55"');
  switch (style) {
    case "short":
      return (
        cap(`C${R} 98 ${R - 3} 88 ${R - 9} 82 140 74 114 75 ${L + 9} 82 ${L + 3} 88 ${L} 98 ${L - 3} 112`) +
        sheen
      );
    case "sidepart":
      return (
        cap(`C${R} 96 ${R - 6} 86 ${R - 14} 84 134 86 114 80 106 66 101 80 ${L + 2} 92 ${L - 3} 112`, 40) +
        line("M106 66c2-8 6-13 12-17", shade, 2.4, 'opacity=".6"')
      );
    case "fringe":
      return (
        cap(
          `L${R - 3} 110C${R - 4} 104 ${R - 4} 98 ${R - 6} 94 144 99 112 99 ${L + 6} 94 ${L + 4} 98 ${L + 4} 104 ${L + 3} 110`,
          42,
        ) + line("M112 62v30M128 58v36M144 62v30", shade, 1.8, 'opacity=".35"')
      );
    case "bob":
      return (
        cap(
          `C${R + 2} 132 ${R + 4} 146 ${R - 1} 156 ${R - 4} 130 ${R - 2} 100 ${R - 18} 88 136 86 116 78 108 66 102 84 ${L + 4} 96 ${L + 4} 118 ${L + 4} 132 ${L + 4} 146 ${L + 1} 156 ${L - 4} 146 ${L - 4} 132 ${L - 3} 112`,
          41,
        ) + sheen
      );
    case "wavy":
      return (
        cap(
          `C${R - 1} 96 ${R - 8} 84 ${R - 20} 84 ${R - 34} 84 124 80 114 66 108 82 ${L + 12} 80 ${L + 6} 94 ${L + 2} 100 ${L} 104 ${L - 3} 112`,
          40,
        ) + line("M100 58c10 2 14-8 26-6M140 54c8 0 14 6 22 12", glow, 3, 'opacity=".45"')
      );
    case "curly": {
      let s = "";
      const n = 8;
      for (let i = 0; i < n; i++) {
        const t = Math.PI * (1.1 + (0.8 * i) / (n - 1));
        s += dot(128 + Math.cos(t) * (w - 1), 98 + Math.sin(t) * 40, 12 + r() * 4, hair);
      }
      for (let i = 0; i < 4; i++)
        s += line(`M${98 + i * 18} ${62 - (i % 3) * 4}c4-6 10-4 10 2`, glow, 2.2, 'opacity=".4"');
      return s;
    }
    case "afro":
      return path(
        `M${L - 4} 110C${L - 16} 62 92 34 128 34s${R - 112} 28 ${R - 124} 76C${R - 2} 92 ${R - 14} 80 128 78 ${L + 14} 80 ${L + 2} 92 ${L - 4} 110z`,
        hair,
      );
    case "locs": {
      let s = cap(`C${R} 96 ${R - 8} 84 128 76 ${L + 8} 84 ${L} 96 ${L - 3} 112`, 40);
      for (let i = 0; i < 6; i++)
        s += line(
          `M${98 + i * 12} ${f1(52 - Math.sin((i / 5) * Math.PI) * 6)}l${f1((i - 2.5) * 2.4)} 22`,
          shade,
          2.4,
          'opacity=".5"',
        );
      return s;
    }
    case "bald":
      return (
        path(`M${L - 3} 118c-3-14-1-26 4-34 2 10 3 18 4 32z`, hair) +
        path(`M${R + 3} 118c3-14 1-26-4-34-2 10-3 18-4 32z`, hair)
      );
    case "braid": {
      let s = middle + sheen;
      for (let i = 0; i < 6; i++)
        s += `<ellipse cx="${f1(R - 1 + (i % 2 ? 2.5 : -2.5) + (i > 2 ? (i - 2) * -1.5 : 0))}" cy="${148 + i * 14}" rx="${f1(11 - i * 0.8)}" ry="10" fill="${i % 2 ? shade : hair}" transform="rotate(${i % 2 ? -24 : 24} ${R} ${148 + i * 14})"/>`;
      return s + path(`M${R - 10} 222h13l-3 16h-8z`, hair);
    }
    default:
      return middle + sheen; // long, bun
  }
}

export function drawAvatar(look, seed = "") {
  const r = random(seed);
  const extra = look.extra ?? [];
  const has = (x) => extra.includes(x);
  const skin = SKIN[look.skin] ?? SKIN.honey,
    hair = HAIR[look.hair] ?? HAIR.brown,
    shirt = CLOTH[look.shirt] ?? CLOTH.moss;
  const shade = dark(skin, 0.16),
    ink = mix("#2c1d19", skin, 0.08),
    deep = look.skin === "umber" || look.skin === "chestnut";
  const [bg, bg2] = BACK[Math.floor(r() * BACK.length)];
  const w = 40 + r() * 5,
    chin = 163 + r() * 6,
    gap = 17 + r() * 2.6,
    eye = 111 + r() * 3,
    tilt = f1((r() - 0.5) * 5);
  const L = 128 - w,
    R = 128 + w;
  const covered = has("headscarf"),
    style = look.hairStyle;
  const cloths = Object.values(CLOTH).filter((c) => c !== shirt),
    scarf = cloths[Math.floor(r() * cloths.length)];
  let s = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="256" height="256" role="img"><rect width="256" height="256" fill="${bg}"/>`;

  // background: a sun, a hill, or a leaf
  const scene = Math.floor(r() * 4);
  if (scene === 0) s += dot(128, 112, 96, bg2, 'opacity=".7"');
  if (scene === 1)
    s +=
      path("M0 176c52-44 96-40 140-14s80 10 116-20v114H0z", bg2, 'opacity=".8"') +
      dot(212, 46, 20, light(bg2, 0.45));
  if (scene === 2)
    s +=
      path("M0 0h108C96 60 60 96 0 104z", bg2, 'opacity=".75"') +
      path("M256 256h-88c6-56 40-92 88-100z", bg2, 'opacity=".75"');
  if (scene === 3)
    s +=
      line(
        "M22 236C30 160 30 120 58 60M34 170c-18-6-24-20-24-34 18 4 26 16 24 34zM40 128c18-4 26-16 26-32-18 2-28 14-26 32z",
        bg2,
        5,
      ) + line("M234 236c-8-66-6-96-28-150M222 160c18-6 24-18 24-32-18 4-26 14-24 32z", bg2, 5);

  // tilted part: hair behind
  const open = `<g transform="rotate(${tilt} 128 180)">`;
  if (!covered) s += open + hairBehind(style, hair, random(seed + "b")) + "</g>";

  // shoulders, neck, collar
  s += path("M20 256c2-40 30-56 64-64 12-3 20-8 24-14h40c4 6 12 11 24 14 34 8 62 24 64 64z", shirt);
  s += path("M106 150h44v34c0 10-8 22-22 22s-22-12-22-22z", shade);
  const collar = Math.floor(r() * 4);
  if (!covered) {
    if (collar === 0) s += line("M101 186c4 16 14 26 27 26s23-10 27-26", dark(shirt), 7);
    if (collar === 1)
      s +=
        path("M104 180c2 14 12 24 24 32-14 8-22 12-28 18-6-14-12-30-8-44z", light(shirt, 0.24)) +
        path("M152 180c-2 14-12 24-24 32 14 8 22 12 28 18 6-14 12-30 8-44z", light(shirt, 0.24)) +
        dot(128, 232, 3, dark(shirt, 0.3));
    if (collar === 2)
      s += path(
        "M98 184c4-6 6-8 8-10 4 20 40 20 44 0 2 2 4 4 8 10 0 20-14 28-30 28s-30-8-30-28z",
        dark(shirt, 0.14),
      );
    if (collar === 3)
      s +=
        line("M101 186c4 16 14 26 27 26s23-10 27-26", light(shirt, 0.3), 4) +
        line("M40 226c30 12 146 12 176 0M34 242c40 10 148 10 188 0", light(shirt, 0.3), 4, 'opacity=".7"');
  }
  if (has("scarf"))
    s +=
      path("M94 176c8 12 60 12 68 0 8 10 10 22 2 28-18 14-54 14-72 0-8-6-6-18 2-28z", scarf) +
      path("M146 204c14-2 18 0 22 2l6 44-22 4z", dark(scarf, 0.14));

  s += open;
  if (covered)
    s += path(
      "M74 116C64 54 98 36 128 36s64 18 54 80c2 34 10 54 30 86-30 22-138 22-168 0 20-32 28-52 30-86z",
      dark(scarf, 0.16),
    );
  // ears, face
  if (!covered)
    s +=
      dot(L + 1, 117, 10, skin) +
      dot(R - 1, 117, 10, skin) +
      line(`M${f1(L - 2)} 113c-3 2-3 7 0 9M${f1(R + 2)} 113c3 2 3 7 0 9`, shade, 2);
  s += path(
    `M${f1(L)} 106C${f1(L)} 74 ${f1(L + 16)} 58 128 58s${f1(w)} 16 ${f1(w)} 48c0 32-${f1(w * 0.42)} ${f1(chin - 106)}-${f1(w)} ${f1(chin - 106)}S${f1(L)} 138 ${f1(L)} 106z`,
    skin,
  );
  // cheeks
  const blush = deep ? mix(skin, "#c4553a", 0.35) : mix(skin, "#e0664f", 0.32);
  s +=
    dot(128 - gap - 9, eye + 19, 8.5, blush, 'opacity=".55"') +
    dot(128 + gap + 9, eye + 19, 8.5, blush, 'opacity=".55"');
  if (has("freckles"))
    for (let i = 0; i < 9; i++)
      s += dot(128 + (i - 4) * 7.5, eye + 15 + ((i * 5) % 7), 1.3, dark(skin, 0.34));

  // beard, under mouth and nose
  const fur = look.hairStyle === "bald" ? hair : dark(hair, 0.06);
  if (has("beard"))
    s += path(
      `M${f1(L)} 112c2 12 6 22 14 25 8 2 16-7 ${f1(w - 14)}-7s${f1(w - 22)} 9 ${f1(w - 14)} 7c8-3 12-13 14-25C${f1(R + 2)} 142 ${f1(R - 14)} ${f1(chin + 9)} 128 ${f1(chin + 9)}S${f1(L - 2)} 142 ${f1(L)} 112z`,
      fur,
    );

  // eyes, brows, nose, mouth
  const kind = Math.floor(r() * 3),
    brow = look.hair === "white" ? "#b9afa2" : mix(hair, "#2c1d19", look.hair === "blond" ? 0.3 : 0.12);
  for (const d of [-1, 1]) {
    const x = f1(128 + d * gap),
      y = f1(eye);
    if (kind === 0)
      s +=
        `<ellipse cx="${x}" cy="${y}" rx="3.7" ry="4.6" fill="${ink}"/>` +
        dot(x + 1.3, y - 1.6, 1.2, "#fff", 'opacity=".85"');
    if (kind === 1)
      s +=
        `<ellipse cx="${x}" cy="${y}" rx="3.9" ry="4" fill="${ink}"/>` +
        line(`M${x - 6.5 * 1} ${y - 2.5}c3-5 10-5 13 0`, ink, 2);
    if (kind === 2) s += line(`M${f1(x - 5.5)} ${f1(y + 1)}c2.5-5 8.5-5 11 0`, ink, 3.2);
    s += line(
      `M${f1(x - 8)} ${f1(y - 12.5 + (d > 0 ? -1 : 0))}c4-4 12-4 16 ${d > 0 ? 1 : 0}`,
      brow,
      has("lines") ? 3.8 : 3.2,
      'opacity=".9"',
    );
    if (has("lines"))
      s += line(
        `M${f1(x + d * 11)} ${f1(y - 1)}l${d * 5}-2M${f1(x + d * 11)} ${f1(y + 3)}l${d * 5} 2`,
        shade,
        1.8,
      );
  }
  if (has("lines"))
    s +=
      line("M116 86c8-2 16-2 24 0", shade, 1.8, 'opacity=".7"') +
      line(
        `M${f1(128 - 19)} ${f1(eye + 22)}c-3 4-4 7-3 11M${f1(128 + 19)} ${f1(eye + 22)}c3 4 4 7 3 11`,
        shade,
        1.8,
        has("beard") ? 'opacity="0"' : "",
      );
  s += line(`M${f1(129)} ${f1(eye + 4)}c3 7 6 11 3 14-2 2-5 2-8 1`, dark(skin, 0.26), 2.6);
  const my = f1(eye + 31),
    lip = deep ? mix(skin, "#7c2a2a", 0.5) : mix(skin, "#a8403a", 0.62),
    smile = Math.floor(r() * 4);
  if (has("beard"))
    s += path(`M114 ${my - 1}c8 5 20 5 28 0-2 9-8 13-14 13s-12-4-14-13z`, smile % 2 ? "#fbf1e6" : lip);
  else if (smile === 0) s += line(`M116 ${my}c7 7 17 7 24 0`, lip, 3.4);
  else if (smile === 1)
    s +=
      path(`M114 ${my - 2}c8 4 20 4 28 0-1 9-7 14-14 14s-13-5-14-14z`, lip) +
      path(`M117 ${my - 0.2}c7 3 15 3 22 0-1 3-4 4.4-11 4.4s-10-1.4-11-4.4z`, "#fdf4ea");
  else if (smile === 2) s += line(`M117 ${my + 2}c8 4 15 3 21-4`, lip, 3.4);
  else s += path(`M115 ${my}c5-3 9-4 13-1 4-3 8-2 13 1-4 6-8 8-13 8s-9-2-13-8z`, lip, 'opacity=".9"');
  if (has("moustache") || (has("beard") && r() > 0.35))
    s += path(
      `M128 ${my - 8}c6-4 16-2 21 7-8 2-16 1-21-2-5 3-13 4-21 2 5-9 15-11 21-7z`,
      has("beard") ? dark(fur, 0.1) : fur,
    );

  // hair in front, or what covers it
  if (covered) {
    const e = w - 4;
    s += `<path fill-rule="evenodd" fill="${scarf}" d="M76 118C66 56 98 38 128 38s62 18 52 80c0 26-2 44-14 58-12 14-64 14-76 0-12-14-14-32-14-58zM${f1(128 - e)} 110c0-30 ${f1(e * 0.5)}-40 ${f1(e)}-40s${f1(e)} 10 ${f1(e)} 40c0 30-${f1(e * 0.45)} ${f1(chin - 116)}-${f1(e)} ${f1(chin - 116)}s-${f1(e)}-${f1(chin - 146)}-${f1(e)}-${f1(chin - 116)}z"/>`;
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
        `M${f1(L - 7)} 88C${f1(L - 8)} 46 100 34 130 34s${f1(w + 6)} 18 ${f1(w + 5)} 52c-26-8-64-8-${f1(2 * w + 10)} 2z`,
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
        : `<rect x="${f1(128 + d * gap - rx)}" y="${f1(eye - 9)}" width="${f1(rx * 2)}" height="20" rx="6.5" fill="#fff" fill-opacity=".16" stroke="${g}" stroke-width="2.8"/>`;
    s += line(
      `M${f1(128 - gap + rx)} ${f1(eye)}c2-3 ${f1(2 * (gap - rx) - 2)}-3 ${f1(2 * (gap - rx))} 0`,
      g,
      2.6,
    );
    if (!covered)
      s += line(
        `M${f1(128 - gap - rx)} ${f1(eye - 1)}L${f1(L + 1)} ${f1(eye - 4)}M${f1(128 + gap + rx)} ${f1(eye - 1)}L${f1(R - 1)} ${f1(eye - 4)}`,
        g,
        2.6,
      );
  }
  if (has("earrings") && !covered) {
    const gold = r() > 0.5 ? "#e3b23f" : "#d9644a";
    s +=
      r() > 0.5
        ? dot(L - 1, 132, 4.4, gold) + dot(R + 1, 132, 4.4, gold)
        : `<circle cx="${f1(L - 1)}" cy="134" r="6.5" fill="none" stroke="${gold}" stroke-width="2.6"/><circle cx="${f1(R + 1)}" cy="134" r="6.5" fill="none" stroke="${gold}" stroke-width="2.6"/>`;
  }
  return s + "</g></svg>";
}

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
  let s = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1500 500" width="1500" height="500" preserveAspectRatio="xMidYMid slice" role="img"><defs><linearGradient id="sky-${name}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${c.sky[0]}"/><stop offset="1" stop-color="${c.sky[1]}"/></linearGradient></defs><rect width="1500" height="500" fill="url(#sky-${name})"/>`;
  if (c.stars)
    for (let i = 0; i < 46; i++)
      s += dot(r() * 1500, r() * 190, 0.8 + r() * 1.6, "#fff4dc", `opacity="${f1(0.3 + r() * 0.6)}"`);
  s +=
    dot(sx, sy, sr * 1.7, c.sun, 'opacity=".22"') +
    dot(sx, sy, sr * 1.3, c.sun, 'opacity=".3"') +
    dot(sx, sy, sr, c.sun);
  const cloud = (x, y, k) =>
    `<g fill="#fffaf0" opacity=".42"><rect x="${f1(x)}" y="${f1(y)}" width="${f1(220 * k)}" height="${f1(22 * k)}" rx="${f1(11 * k)}"/><rect x="${f1(x + 60 * k)}" y="${f1(y - 18 * k)}" width="${f1(130 * k)}" height="${f1(22 * k)}" rx="${f1(11 * k)}"/></g>`;
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
          `<rect x="${f1(x + 16)}" y="${f1(yy - b + 10)}" width="11" height="13" rx="1.5" fill="${mix(c.hills[3], "#f6d27a", 0.5)}"/>`;
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
