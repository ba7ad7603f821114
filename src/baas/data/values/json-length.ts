/** Characters assumed for a number, the quotes of a key, or a brace. */
const SMALL_VALUE = 8;

/** Estimates the length of a value as JSON; stops counting at `most`. */
export function estimateJsonLength(value: unknown, most: number): number {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && size <= most) {
    const it = open.pop();
    size += typeof it === "string" ? it.length + SMALL_VALUE : SMALL_VALUE;
    if (typeof it !== "object" || it === null) continue;
    for (const [key, inner] of Object.entries(it)) {
      size += Array.isArray(it) ? 1 : key.length;
      open.push(inner);
    }
  }
  return size;
}
