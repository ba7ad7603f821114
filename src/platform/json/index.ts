/**
 * Parses JSON that Kith itself wrote: a stored column, a file of the package, a message of another process.
 * The type is not checked; JSON from outside goes through a schema instead.
 * @throws {SyntaxError} for a text that is no JSON
 */
export const parseTrustedJson = <T>(text: string): T => JSON.parse(text);
