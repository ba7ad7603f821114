// Flat portraits for the demo community, drawn from a few words. Plain JS, no dependencies.
// drawAvatar(look, seed) → SVG string, 256 × 256.
import { drawHeadwear, drawGlassesAndEarrings } from "./pictures/accessories.mjs";
import { drawClothes } from "./pictures/clothes.mjs";
import { drawFace } from "./pictures/face.mjs";
import { hairBehind } from "./pictures/hair.mjs";
import { BACK, CLOTH, dark, HAIR, light, mix, SKIN } from "./pictures/palette.mjs";
import { dot, f1, line, path, random } from "./pictures/shapes.mjs";

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
  let s =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="256" height="256" ` +
    `role="img"><rect width="256" height="256" fill="${bg}"/>`;

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
        "M22 236C30 160 30 120 58 60M34 170c-18-6-24-20-24-34 18 4 26 16 24 34zM40 128c18-4 26-16 " +
          "26-32-18 2-28 14-26 32z",
        bg2,
        5,
      ) + line("M234 236c-8-66-6-96-28-150M222 160c18-6 24-18 24-32-18 4-26 14-24 32z", bg2, 5);

  // tilted part: hair behind
  const open = `<g transform="rotate(${tilt} 128 180)">`;
  if (!covered) s += open + hairBehind(style, hair, random(seed + "b")) + "</g>";
  const person = {
    look,
    seed,
    r,
    has,
    skin,
    hair,
    shirt,
    shade,
    ink,
    deep,
    w,
    chin,
    gap,
    eye,
    L,
    R,
    covered,
    style,
    scarf,
    open,
  };
  s += drawClothes(person);

  s += open;
  if (covered)
    s += path(
      "M74 116C64 54 98 36 128 36s64 18 54 80c2 34 10 54 30 86-30 22-138 22-168 0 20-32 28-52 30-86z",
      dark(scarf, 0.16),
    );
  return s + drawFace(person) + drawHeadwear(person) + drawGlassesAndEarrings(person) + "</g></svg>";
}
