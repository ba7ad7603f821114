import { Refusal } from "#platform/refusal";

/** Strips the form's prefix from the fields of one form among several; field errors get the prefix back. */
export async function withPrefixedFields<T>(
  intent: string,
  form: FormData,
  work: (fields: FormData) => Promise<T>,
): Promise<T> {
  const fields = new FormData();
  for (const [name, value] of form)
    if (name.startsWith(`${intent}-`)) fields.append(name.slice(intent.length + 1), value);
  try {
    return await work(fields);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = Object.fromEntries(
      Object.entries(error.fieldDescriptors).map(([name, sentence]) => [`${intent}-${name}`, sentence]),
    );
    throw new Refusal(error.reason, error.descriptor, { fields: faults, retryAfter: error.retryAfter });
  }
}
