// Faults found so far, and the checks of single values that report them.
export const errors = [];
export const reportError = (where, what) => errors.push(`${where}: ${what}`);
const len = (s) => [...(s ?? "")].length;
export const checkLength = (where, s, lo, hi) => {
  const n = len(s);
  if (n < lo || n > hi) reportError(where, `length ${n}, allowed ${lo}–${hi}`);
};
export const checkOneOf = (where, v, list) => {
  if (!list.includes(v)) reportError(where, `${v} is not one of ${list.join("|")}`);
};
export const checkUnique = (where, list) => {
  const s = new Set();
  for (const x of list) {
    if (s.has(x)) reportError(where, `${x} twice`);
    s.add(x);
  }
};
export const checkNumber = (where, v) => {
  if (typeof v !== "number" || !Number.isFinite(v) || v <= 0) reportError(where, `not a time: ${v}`);
};
