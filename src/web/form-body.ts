import { MIMEType } from "node:util";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

/** Maximum fields of a form. Our largest form has a few hundred: all columns of a data table. */
export const MAX_FORM_FIELDS = 2_000;

/**
 * Reads the form of a request. Fields are counted before any is created: a body of 160 KB can hold 40 000
 * fields.
 * @throws `wrong-type` for a body that is no form, `too-large` for too many fields, `invalid` for a
 * malformed form
 */
export async function readForm(request: Request): Promise<FormData> {
  const type = formTypeOf(request);
  try {
    const body = Buffer.from(await request.arrayBuffer());
    if (hasMoreThan(MAX_FORM_FIELDS, body, separatorOf(type)))
      throw new Refusal(
        "too-large",
        msg("A form can have at most {count} fields.", {
          count: MAX_FORM_FIELDS,
        }),
      );
    return await new Response(body, { headers: { "content-type": type.toString() } }).formData();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // If the body exceeds its limit while being read, the refusal is the cause of the error.
    if (error instanceof Error && error.cause instanceof Refusal) throw error.cause;
    throw new Refusal("invalid", "The form arrived incomplete. Send it again.");
  }
}

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

function formTypeOf({ headers }: Request): MIMEType {
  const type = parseMimeType(headers.get("content-type") ?? "");
  if (type === null || !FORM_TYPES.includes(type.essence))
    throw new Refusal("wrong-type", "This form cannot be read.");
  return type;
}

function parseMimeType(text: string): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}

/**
 * The separator between two fields. It uses the boundary that the parser gets, so that the parser cannot
 * find more fields.
 */
const separatorOf = (type: MIMEType): string =>
  type.essence === "multipart/form-data" ? `--${type.params.get("boundary") ?? ""}\r\n` : "&";

/**
 * Whether a body has more fields than the limit. With URL encoding, no `&` precedes the first field; with
 * multipart, a boundary precedes each.
 */
function hasMoreThan(limit: number, body: Buffer, separator: string): boolean {
  let count = separator === "&" ? 1 : 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length))
    if (++count > limit) return true;
  return false;
}
