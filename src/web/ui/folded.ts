/** Normalizes a text for comparison while typing: lower case, without accents. */
export const folded = (text: string) => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
