import { dark, light } from "./palette.mjs";
import { dot, line, path } from "./shapes.mjs";

// Shoulders, neck, collar and scarf.
export function drawClothes({ r, has, shirt, shade, covered, scarf }) {
  let s = "";
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
  return s;
}
