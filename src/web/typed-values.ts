/** Names of fields whose values are never put back into a form. */
const SECRET_FIELD = /password|again|code|token|proof/i;

/** Values of a rejected form, to be put back into its fields, without files and secrets. */
export const readTypedValues = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].filter(
      (pair): pair is [string, string] => typeof pair[1] === "string" && !SECRET_FIELD.test(pair[0]),
    ),
  );
