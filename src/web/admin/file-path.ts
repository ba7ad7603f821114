/** The path of a directory or file of programs as an address has it: from the root, which is none. */
export const inAddress = (path: readonly string[]): string => (path.length > 0 ? `/${path.join("/")}` : "");
