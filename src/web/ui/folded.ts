/** As texts are compared where somebody types: small letters, without accents. */
export const folded = (text: string) => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
