/** Formatters cost a hundred times what formatting does: each is made once and kept, up to so many. */
const MOST = 300;
const made = new Map<string, unknown>();

function kept<F>(key: string, make: () => F): F {
  const known = made.get(key);
  if (known) return known as F;
  if (made.size >= MOST) made.clear();
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions) =>
  kept(`date ${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}) =>
  kept(`number ${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));

export const relativeFormat = (locale: string) =>
  kept(`relative ${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" }));

export const listFormat = (locale: string) => kept(`list ${locale}`, () => new Intl.ListFormat(locale));
