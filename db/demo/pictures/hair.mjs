import { dark, HAIR, light } from "./palette.mjs";
import { dot, f1, line, path } from "./shapes.mjs";

// The part of every hair style that lies behind the head.
export function hairBehind(style, hair, r) {
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
        "M78 106C68 56 100 38 128 38s60 18 50 68c10 12 2 22 8 34 6 14-2 24 2 38-20 14-34 6-60 6s-40 " +
          "8-60-6c4-14-4-24 2-38 6-12-2-22 8-34z",
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
          `M${f1(x)} 78C${f1(x - 4 + r() * 3)} 116 ${f1(x + 4 - r() * 3)} 146 ` +
            `${f1(x + (x < 128 ? -5 : 5))} ${f1(178 + r() * 16)}`,
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
export function hairInFront(style, hair, w, r) {
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
          `L${R - 3} 110C${R - 4} 104 ${R - 4} 98 ${R - 6} 94 144 99 112 99 ${L + 6} 94 ${L + 4} 98 ` +
            `${L + 4} 104 ${L + 3} 110`,
          42,
        ) + line("M112 62v30M128 58v36M144 62v30", shade, 1.8, 'opacity=".35"')
      );
    case "bob":
      return (
        cap(
          `C${R + 2} 132 ${R + 4} 146 ${R - 1} 156 ${R - 4} 130 ${R - 2} 100 ${R - 18} 88 136 86 116 ` +
            `78 108 66 102 84 ${L + 4} 96 ${L + 4} 118 ${L + 4} 132 ${L + 4} 146 ${L + 1} 156 ${L - 4} 146 ` +
            `${L - 4} 132 ${L - 3} 112`,
          41,
        ) + sheen
      );
    case "wavy":
      return (
        cap(
          `C${R - 1} 96 ${R - 8} 84 ${R - 20} 84 ${R - 34} 84 124 80 114 66 108 82 ${L + 12} 80 ` +
            `${L + 6} 94 ${L + 2} 100 ${L} 104 ${L - 3} 112`,
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
        `M${L - 4} 110C${L - 16} 62 92 34 128 34s${R - 112} 28 ${R - 124} 76C${R - 2} 92 ${R - 14} 80 ` +
          `128 78 ${L + 14} 80 ${L + 2} 92 ${L - 4} 110z`,
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
        s +=
          `<ellipse cx="${f1(R - 1 + (i % 2 ? 2.5 : -2.5) + (i > 2 ? (i - 2) * -1.5 : 0))}" ` +
          `cy="${148 + i * 14}" rx="${f1(11 - i * 0.8)}" ry="10" fill="${i % 2 ? shade : hair}" ` +
          `transform="rotate(${i % 2 ? -24 : 24} ${R} ${148 + i * 14})"/>`;
      return s + path(`M${R - 10} 222h13l-3 16h-8z`, hair);
    }
    default:
      return middle + sheen; // long, bun
  }
}
