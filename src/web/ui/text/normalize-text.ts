/** Normalizes a text for comparison while typing: lower case, without accents. */
export const normalizeText = (text: string) =>
  text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
