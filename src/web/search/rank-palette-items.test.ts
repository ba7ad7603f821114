import { expect, test } from "vitest";
import { rankPaletteItems } from "./rank-palette-items.ts";

const rank = (typed: string, ...labels: string[]) =>
  rankPaletteItems(
    labels.map((label) => ({ label })),
    typed,
  ).map(({ label }) => label);

test("palette items are ranked by how well their label fits, across kinds", () => {
  expect(rank("bean", "Bookmarks", "Growing beans", "Beans in May", "Bean", "Soup", "Bean: the cat")).toEqual(
    ["Bean", "Beans in May", "Bean: the cat", "Growing beans", "Bookmarks", "Soup"],
  );
});

test("palette items that fit equally well keep their order", () => {
  expect(rank("da", "Dark theme", "Dahlias", "Darts")).toEqual(["Dark theme", "Dahlias", "Darts"]);
  expect(rank("", "Settings", "Home")).toEqual(["Settings", "Home"]);
});

test("case and accents do not change the rank of palette items", () => {
  expect(rank("ECOLE", "À propos de l’école", "École")).toEqual(["École", "À propos de l’école"]);
});
