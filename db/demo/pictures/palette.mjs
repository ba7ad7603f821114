// Colours of the pictures, and mixtures of them.

export const SKIN = {
  porcelain: "#f5d7c0",
  sand: "#ebc19c",
  honey: "#d8a075",
  amber: "#bb7f52",
  chestnut: "#94603f",
  umber: "#6d432d",
};
export const HAIR = {
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
export const CLOTH = {
  moss: "#74855a",
  clay: "#bf6b49",
  river: "#43818f",
  plum: "#7d4d6b",
  straw: "#dfb453",
  slate: "#5a6a78",
  rose: "#d18d87",
  ink: "#33415c",
};
export const BACK = [
  ["#f4e4c4", "#ead2a3"],
  ["#dde7d3", "#c7d7b8"],
  ["#f3d9c9", "#e9c2ac"],
  ["#d7e4e6", "#bcd3d7"],
  ["#eadbe3", "#d9c1cf"],
  ["#efe7d6", "#dfd2b6"],
  ["#e2e5c9", "#cfd4aa"],
  ["#dfdfea", "#c7c8dc"],
];

export const mix = (a, b, k) => {
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
export const dark = (c, k = 0.18) => mix(c, "#3a1d16", k);
export const light = (c, k = 0.2) => mix(c, "#fff6e6", k);
