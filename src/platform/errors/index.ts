/** Returns the text in a field of an error, such as `code` of system errors. Undefined if it has none. */
const textField = (error: unknown, field: "code" | "syscall"): string | undefined => {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === "string" ? value : undefined;
};

/** Returns the code of an error of Node, a driver or a library, such as `ENOENT`. Undefined if it has none. */
export const errorCode = (error: unknown): string | undefined => textField(error, "code");

/** Whether the operating system refused a call. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && textField(error, "syscall") !== undefined;

/** Returns the message of whatever was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Returns what was thrown as an error. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
