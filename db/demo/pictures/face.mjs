import { dark, mix } from "./palette.mjs";
import { dot, f1, line, path } from "./shapes.mjs";

// Ears, cheeks, beard, eyes, nose and mouth.
export function drawFace({ look, r, has, skin, hair, shade, ink, deep, w, chin, gap, eye, L, R, covered }) {
  let s = "";
  // ears, face
  if (!covered)
    s +=
      dot(L + 1, 117, 10, skin) +
      dot(R - 1, 117, 10, skin) +
      line(`M${f1(L - 2)} 113c-3 2-3 7 0 9M${f1(R + 2)} 113c3 2 3 7 0 9`, shade, 2);
  s += path(
    `M${f1(L)} 106C${f1(L)} 74 ${f1(L + 16)} 58 128 58s${f1(w)} 16 ${f1(w)} 48c0 32-${f1(w * 0.42)} ` +
      `${f1(chin - 106)}-${f1(w)} ${f1(chin - 106)}S${f1(L)} 138 ${f1(L)} 106z`,
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
      `M${f1(L)} 112c2 12 6 22 14 25 8 2 16-7 ${f1(w - 14)}-7s${f1(w - 22)} 9 ${f1(w - 14)} 7c8-3 ` +
        `12-13 14-25C${f1(R + 2)} 142 ${f1(R - 14)} ${f1(chin + 9)} 128 ${f1(chin + 9)}S${f1(L - 2)} 142 ${f1(L)} 112z`,
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
  return s;
}
