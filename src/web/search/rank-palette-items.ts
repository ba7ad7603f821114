import { normalizeText } from "../ui/text/normalize-text.ts";

/**
 * Sorts items of all kinds by how well their label fits the typed text: equal labels first, then labels that
 * begin with it, then labels with a word that begins with it, then the others. Items that fit equally well
 * keep their order.
 */
export function rankPaletteItems<T extends { label: string }>(items: readonly T[], typed: string): T[] {
  const text = normalizeText(typed.trim());
  if (text === "") return [...items];
  const rankOf = ({ label }: T) => {
    const words = normalizeText(label);
    if (words === text) return 0;
    if (words.startsWith(text)) return 1;
    return words.includes(` ${text}`) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
