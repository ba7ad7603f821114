/** What is not put back into a form. */
const SECRET = /password|again|code|token|proof/i;

/** What was typed into a form that was refused: it goes back into its fields, without files and secrets. */
export const typedInto = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string" && !SECRET.test(pair[0])));
