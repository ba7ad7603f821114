/** Fields that are never put back into a form. */
const SECRET = /password|again|code|token|proof/i;

/** Values of a rejected form, to be put back into its fields, without files and secrets. */
export const typedInto = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string" && !SECRET.test(pair[0])));
